package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/grammar"
)

// statuses is told by the help of the root and by that of call.
const statuses = `Exit status: 0 done; 1 refused, nothing was changed; 2 the command line is wrong;
3 the system failed. The text of a refusal goes to standard error.
`

// useLine is the form of a command line.
func useLine(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return cmd.Root().Name() + " " + cmd.Use
	}
	return cmd.Use
}

// help is the help text of a command.
func help(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(cmd.Short + "\n\nUsage: " + useLine(cmd) + "\n")
	if cmd.Long != "" {
		b.WriteString("\n" + strings.TrimSpace(cmd.Long) + "\n")
	}
	if !cmd.HasParent() {
		commandList(&b, cmd)
	}
	flagList(&b, cmd)
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	if !cmd.HasParent() {
		b.WriteString("\n" + statuses)
	}
	return b.String()
}

// shortHelp is what a person sees who gives no command.
func shortHelp(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(root.Short + "\n\nUsage: " + root.Use + "\n")
	commandList(&b, root)
	b.WriteString("\nhashline help COMMAND tells more.\n")
	return b.String()
}

func commandList(b *strings.Builder, root *cobra.Command) {
	for _, group := range root.Groups() {
		b.WriteString("\n" + group.Title + ":\n")
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				fmt.Fprintf(b, "  %-11s %s\n", cmd.Name(), cmd.Short)
			}
		}
	}
	b.WriteString("  help format The format of documents on one screen.\n")
}

func flagList(b *strings.Builder, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	must(cmd.Flags().MarkHidden("help"))
	local, global := cmd.LocalFlags().FlagUsages(), cmd.InheritedFlags().FlagUsages()
	if !cmd.HasParent() {
		local, global = "", local
	}
	if local != "" {
		b.WriteString("\nFlags:\n" + local)
	}
	if global != "" {
		b.WriteString("\nGlobal flags:\n" + global)
	}
}

// operations is the table of the operations in the help on the format.
const operations = `  PUT N:        replace line N by the rows that follow
  PUT N.=M:     replace the lines N to M, both included
  PUT <N:       insert the rows before line N
  PUT >N:       insert the rows after line N
  PUT >$:       append the rows at the end of the file
  CUT N         delete line N (no colon)
  CUT N.=M      delete the lines N to M, both included
`

// format is the help on the format of documents.
func format() string {
	return `A document changes files by line number: a section for each file, that is the
header as the last read, search or edit showed it and the operations under it.

` + operations + `
  +text         a row: all after the + is the line, indentation included
  +             a blank line

All numbers are those of the file as it was shown under TAG, whatever other
operations of the document do. Spans must not overlap, and no row goes inside
one. All sections apply, or none does.

  [src/a.go#1A2B]
  PUT 3.=4:
  +func main() {
  +	run()
  PUT >$:
  +// the end
  CUT 9

Grammar:

` + indent(grammar.EBNF())
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}

func (a *app) helpCommand() *cobra.Command {
	const topic = "format"
	return &cobra.Command{
		Use:     "help [COMMAND | format]",
		Short:   "Show the help of a command, or the format of documents.",
		GroupID: groupOther,
		Example: `  hashline help edit
  hashline help format`,
		Args: wants(0, 1, "COMMAND"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			words := []string{topic}
			for _, c := range cmd.Root().Commands() {
				if c.IsAvailableCommand() {
					words = append(words, c.Name())
				}
			}
			if len(args) > 0 {
				words = nil
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch {
			case len(args) == 0:
				a.out.raw(help(root))
				return nil
			case args[0] == topic:
				a.out.raw(format())
				return nil
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] {
					a.out.raw(help(c))
					return nil
				}
			}
			return unknownCommand(root, args[0])
		},
	}
}
