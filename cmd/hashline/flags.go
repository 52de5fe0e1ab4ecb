package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// number is the value of a flag that is a whole number, nil while it is not
// given. One too large for an int is the largest: what is out of bounds the
// workspace says.
type number struct{ n *int }

func (v *number) String() string {
	if v.n == nil {
		return ""
	}
	return strconv.Itoa(*v.n)
}

func (v *number) Type() string { return "N" }

func (v *number) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return errors.New("not a whole number")
	}
	v.n = &n
	return nil
}

// or gives the number, or def where it was not given.
func (v *number) or(def int) int {
	if v.n == nil {
		return def
	}
	return *v.n
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func (v *choice) String() string { return v.value }

func (v *choice) Type() string { return strings.Join(v.words, "|") }

func (v *choice) Set(s string) error {
	for _, word := range v.words {
		if s == word {
			v.value = s
			return nil
		}
	}
	return errors.New("it is one of " + strings.Join(v.words, ", "))
}

// globals defines the flags of all commands.
func (a *app) globals(root *cobra.Command) {
	a.scheme = choice{"xxh64", []string{"xxh64", "rho"}}
	a.hardLinks = choice{"refuse", []string{"refuse", "replace", "in_place"}}
	a.color = choice{"auto", []string{"auto", "always", "never"}}
	flags := root.PersistentFlags()
	flags.StringVar(&a.root, "root", ".", "workspace root; nothing outside `DIR` can be reached")
	flags.Var(&a.scheme, "tags", "how tags are computed")
	flags.BoolVar(&a.noSync, "no-sync", false, "do not wait for the disk; a power failure may cost a file")
	flags.Var(&a.hardLinks, "hard-links", "`HOW` with hard links: refuse, replace, in_place")
	flags.Var(&a.color, "color", "colours in diffs; auto means on a terminal")
	flags.StringArrayVar(&a.deny, "deny", nil, "touch nothing that matches `GLOB`, or lies below; repeatable")
	flags.StringArrayVar(&a.allow, "allow", nil, "but touch what matches `GLOB`; alone, only that; repeatable")
	flags.BoolVar(&a.allowGit, "allow-git", false, "let files in folders named .git be written")
	flags.BoolVar(&a.readOnly, "read-only", false, "refuse edit, check, write, undo and fmt -w")
	a.agent.define(root)
	words := func(v *choice) cobra.CompletionFunc {
		return cobra.FixedCompletions(v.words, cobra.ShellCompDirectiveNoFileComp)
	}
	must(root.MarkPersistentFlagDirname("root"))
	must(root.RegisterFlagCompletionFunc("tags", words(&a.scheme)))
	must(root.RegisterFlagCompletionFunc("hard-links", words(&a.hardLinks)))
	must(root.RegisterFlagCompletionFunc("color", words(&a.color)))
	must(root.RegisterFlagCompletionFunc("session", a.sessionNames))
	must(root.RegisterFlagCompletionFunc("require-seen", words(&a.agent.requireSeen)))
	must(root.RegisterFlagCompletionFunc("require-read", words(&a.agent.requireRead)))
	must(root.RegisterFlagCompletionFunc("on-stale", words(&a.agent.onStale)))
	must(root.RegisterFlagCompletionFunc("repeat-read", words(&a.agent.repeatRead)))
}

// must stops the program for an error that only a fault in this package can
// cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
