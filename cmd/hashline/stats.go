package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "stats",
		Short:   "Count edits, and refusals by code.",
		GroupID: groupOther,
		Long: `Prints how many changes each tool made and how many calls were refused, by the
code of the first fault, in all roots of this user, and how much room the history
takes. Nothing of it is sent anywhere.`,
		Example: `  hashline stats`,
		Args:    wants(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := a.open()
			if err != nil {
				return err
			}
			defer w.Close()
			stats, err := w.Stats(cmd.Context())
			if err != nil {
				return err
			}
			var refusals []string
			for _, name := range slices.Sorted(maps.Keys(stats.Counts)) {
				if code, ok := strings.CutPrefix(name, "refused_"); ok {
					refusals = append(refusals, fmt.Sprintf("%8d refused: %s\n", stats.Counts[name], code))
					continue
				}
				a.out.text(fmt.Sprintf("%8d %s\n", stats.Counts[name], name))
			}
			for _, line := range refusals {
				a.out.text(line)
			}
			a.out.text(fmt.Sprintf("%8d old versions in the history, %d KiB\n", stats.Images, stats.Bytes/1024))
			return nil
		},
	}
}
