package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// The groups of the list of commands.
const (
	groupFiles     = "files"
	groupDocuments = "documents"
	groupPrograms  = "programs"
	groupOther     = "other"
)

// command builds the tree of commands.
func (a *app) command() *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "hashline COMMAND",
		Short: "Read, search and edit text files by line number, safely.",
		Long: `A file is read as a header [path#TAG] and numbered rows. An edit is a document:
the same header, then PUT and CUT operations against those numbers. It lands
exactly as written in every file it names, or nowhere.`,
		Example: `  hashline read src/main.go --limit 40
  hashline grep 'func main' src --glob '*.go'
  hashline edit change.txt --dry-run`,
		// What is no command is an argument, so that we say what is wrong.
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return unknownCommand(cmd, args[0])
			case showVersion:
				return a.version()
			case cmd.Flags().NFlag() > 0:
				return usageError("COMMAND is missing")
			}
			a.err.raw(shortHelp(cmd))
			return &failure{status: statusUsage}
		},
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	a.globals(root)
	root.AddGroup(
		&cobra.Group{ID: groupFiles, Title: "Files"},
		&cobra.Group{ID: groupDocuments, Title: "Documents"},
		&cobra.Group{ID: groupPrograms, Title: "For programs"},
		&cobra.Group{ID: groupOther, Title: "More"},
	)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.out.raw(help(cmd)) })
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(
		a.readCommand(), a.grepCommand(), a.editCommand(), a.writeCommand(),
		a.undoCommand(), a.historyCommand(), a.showCommand(),
		a.checkCommand(), a.previewCommand(), a.fmtCommand(), a.parseCommand(),
		a.callCommand(), a.mcpCommand(), a.promptCommand(), a.toolsCommand(), a.tagCommand(), a.sessionCommand(),
		a.setupCommand(), a.doctorCommand(),
		a.versionCommand(), a.completionCommand(), a.demoCommand(), a.statsCommand(),
	)
	for _, cmd := range root.Commands() {
		cmd.DisableFlagsInUseLine = true
		complete(cmd)
	}
	return root
}

// unknownCommand is the error for a word that is no command, with the command
// that it may stand for.
func unknownCommand(root *cobra.Command, word string) error {
	msg := fmt.Sprintf("there is no command %s", quoted(word))
	if close := closeCommands(root, word); len(close) > 0 {
		msg += "; did you mean " + strings.Join(close, " or ") + "?"
	}
	return usageError(msg)
}

// closeCommands lists the commands that a word may stand for. Nobody mistypes a
// command at length, and comparing takes as long as the word is.
func closeCommands(root *cobra.Command, word string) []string {
	if len(word) < 2 || len(word) > 20 {
		return nil
	}
	return root.SuggestionsFor(word)
}

// usageError is an error of the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, v ...any) error { return usageError(fmt.Sprintf(format, v...)) }

// quoted is a word of the command line in quotes, shortened where it is long.
func quoted(word string) string {
	return strconv.Quote(cut(word, 80))
}

// wrongUsage says in two lines what is wrong with the command line and what to
// write. A program that used call reads it from the answer.
func (a *app) wrongUsage(cmd *cobra.Command, args []string, err error) {
	if word := firstWord(cmd.Root(), args); cmd == cmd.Root() && word != "" {
		// Flags that belong to a command are unknown where the command is.
		err = unknownCommand(cmd, word)
	}
	where := ""
	if cmd == cmd.Root() {
		where = "   (hashline help lists the commands)"
	}
	a.err.text(cmd.CommandPath() + ": " + bounded(err.Error()) + "\nusage: " + useLine(cmd) + where + "\n")
	if cmd.Name() == "call" {
		a.answerWrongUsage(cmd, err)
	}
}

// firstWord gives the first argument after the global flags and their values,
// "" where that is another flag.
func firstWord(root *cobra.Command, args []string) string {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
		name, _, joined := strings.Cut(args[i], "=")
		long, ok := strings.CutPrefix(name, "--")
		f := root.PersistentFlags().Lookup(long)
		if !ok || f == nil {
			return ""
		}
		if !joined && f.NoOptDefVal == "" {
			i++
		}
	}
	return ""
}

// bounded keeps the first line of a message, at most 300 bytes of it.
func bounded(msg string) string {
	msg, _, _ = strings.Cut(msg, "\n")
	return cut(msg, 300)
}

// cut shortens a text to n bytes and marks that it did.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// wants checks that a command gets between least and most arguments, none of
// them empty; most below 0 is no limit, and the last name is that of all further
// arguments.
func wants(least, most int, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usagef("%s is missing", names[len(args)])
		case most >= 0 && len(args) > most:
			return usagef("there is one argument too many: %s", quoted(args[most]))
		}
		if i := slices.Index(args, ""); i >= 0 {
			name := "the argument"
			if len(names) > 0 {
				name = names[min(i, len(names)-1)]
			}
			return usagef("%s is empty", name)
		}
		return nil
	}
}
