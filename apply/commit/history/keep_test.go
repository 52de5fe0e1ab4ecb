package history

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What somebody wrote to a kept file is not lost when the content is kept again.
func TestKeptFilesThatWereWrittenTo(t *testing.T) {
	d := Sum([]byte("whole"))
	for name, keep := range map[string]func(*Store) error{
		"Keep": func(s *Store) error {
			return s.Keep(d, func(folder *os.Root, name string) error { return folder.WriteFile(name, []byte("whole"), 0o600) })
		},
		"Adopt": func(s *Store) error {
			return s.Adopt(d, func(folder *os.Root, name string) error { return folder.WriteFile(name+".x", []byte("whole"), 0o644) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			keepIt := func() {
				require.NoError(t, keep(s))
				if name == "Adopt" { // the moving
					require.NoError(t, os.Rename(s.at(keptFolder, d.String()+".x"), s.at(keptFolder, d.String())))
				}
				got, err := s.Get(d)
				require.NoError(t, err)
				same(t, "whole", string(got))
			}
			late := func() (all []string) {
				names, err := filepath.Glob(s.at(lateFolder, "*"))
				require.NoError(t, err)
				for _, name := range names {
					data, err := os.ReadFile(name)
					require.NoError(t, err)
					all = append(all, string(data))
				}
				return all
			}
			keepIt()
			keepIt()
			require.Empty(t, late())
			for n, bytes := range []string{"whole, and more", "hole"} {
				require.NoError(t, os.WriteFile(s.at(keptFolder, d.String()), []byte(bytes), 0o600))
				keepIt()
				require.Len(t, late(), n+1)
				require.Contains(t, late(), bytes)
			}
			list, err := s.lateFiles()
			require.NoError(t, err)
			require.Len(t, list, 2)
			for _, o := range list {
				require.WithinDuration(t, time.Now(), o.time, time.Minute)
			}
		})
	}
}
