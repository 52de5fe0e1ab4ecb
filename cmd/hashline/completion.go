package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// complete gives a command that has no completions of its own file names, where
// one more argument would not be wrong.
func complete(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if cmd.Args(cmd, append(slices.Clone(args), "x")) != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
}

// noFiles says that the values of flags are no names of files.
func noFiles(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions))
	}
}

// firstOf completes the first argument of a command with one of a few words.
func firstOf(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "completion bash|zsh|fish|powershell",
		Short:   "Print a script that completes commands in a shell.",
		GroupID: groupOther,
		Long: `Install it once:

  bash        mkdir -p ~/.local/share/bash-completion/completions
              hashline completion bash > ~/.local/share/bash-completion/completions/hashline
  zsh         hashline completion zsh > "${fpath[1]}/_hashline"
  fish        hashline completion fish > ~/.config/fish/completions/hashline.fish
  powershell  hashline completion powershell >> $PROFILE

bash needs the package bash-completion, zsh a line "autoload -U compinit; compinit"
in ~/.zshrc. A new shell then completes commands, flags, tools and file names.`,
		Example:           `  source <(hashline completion bash)`,
		ValidArgsFunction: firstOf("bash", "zsh", "fish", "powershell"),
		Args:              wants(1, 1, "the shell (bash, zsh, fish or powershell)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			// Errors of writing are reported for all commands alike.
			switch args[0] {
			case "bash":
				_ = root.GenBashCompletionV2(a.out, true)
			case "zsh":
				_ = root.GenZshCompletion(a.out)
			case "fish":
				_ = root.GenFishCompletion(a.out, true)
			case "powershell":
				_ = root.GenPowerShellCompletionWithDesc(a.out)
			default:
				return usagef("there is no completion for %s", quoted(args[0]))
			}
			return nil
		},
	}
}
