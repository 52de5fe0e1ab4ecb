package main

import (
	"github.com/spf13/cobra"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
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
		Example:   `  source <(hashline completion bash)`,
		ValidArgs: shells,
		Args:      wants(1, 1, "the shell (bash, zsh, fish or powershell)"),
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
