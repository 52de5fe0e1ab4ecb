package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// files gives the client's files that have the entry; where none has, the one that
// is to have it.
func (r *setupRun) files() []string {
	all := r.client.Files(r.where, setup.Scope(r.scope.value))
	var have []string
	there, unread := "", ""
	for _, file := range all {
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		there = cmp.Or(there, file)
		data, err := configBytes(file)
		var servers []setup.Found
		if err == nil {
			servers, err = r.client.Servers(data, "")
		}
		if err != nil {
			unread = cmp.Or(unread, file)
		}
		if slices.ContainsFunc(servers, func(f setup.Found) bool { return f.Name == r.server.Name }) {
			have = append(have, file)
		}
	}
	if have == nil {
		have = []string{cmp.Or(unread, there, all[0])}
	}
	return have
}

// file gives the one that is to have the entry.
func (r *setupRun) file() string {
	files := r.files()
	if r.client.ReadsFirst() {
		for _, file := range r.client.Files(r.where, setup.Scope(r.scope.value)) {
			if _, err := os.Lstat(file); err == nil {
				return file
			}
		}
	}
	return files[0]
}

func (r *setupRun) tell(text string) { r.a.err.text("hashline: " + text + "\n") }

// notes tells what the user should know of the entry, as it is now.
func (r *setupRun) notes(entry setup.Found) {
	for _, note := range r.client.Notes(r.server, entry, setup.Scope(r.scope.value)) {
		r.tell(note)
	}
	if note := temporary(r.server.Command); note != "" {
		r.tell(note)
	}
}

// refused is the failure for a file that is left as it is.
func (r *setupRun) refused(file string, data []byte, err error) error {
	var place *setup.Place
	msg := err.Error()
	switch {
	case errors.Is(err, setup.ErrForeign):
		msg = fmt.Sprintf("there is another server under the name %s: %s; --name gives ours another, --force means it all the same",
			r.server.Name, r.client.Entry(data, r.server.Name))
	case errors.As(err, &place) && place.Line > 0:
		return &failure{statusRefused, fmt.Sprintf("%s:%d:%d: %s; nothing was written", file, place.Line, place.Column, place.Msg)}
	}
	return &failure{statusRefused, file + ": " + msg + "; nothing was written"}
}
