package commit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyChange has a change of each kind cut off, where so many are made and the
// last one, which is made in place, half of it or not.
func everyChange(t *testing.T, published int, half bool) (s *Store, root *os.Root, journal string) {
	s, root = newStore(t), newRoot(t, map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "big": "5", "z": "old z"})
	s.keepFrom = 1
	require.NoError(t, root.Link("z", "z2"))
	require.NoError(t, root.Link("c", "c2"))
	tr := crash(t, s, root, published, edit("a", "1", "one"), create("n/e/w", "new"), Change{Path: "c", Old: []byte("3"), Remove: true, InPlace: true},
		streamed("d", "4", "four", 3), edit("b", "2", "two"), Change{Path: "z", Old: []byte("old z"), New: []byte("new z"), InPlace: true})
	journal = filepath.Join(s.Dir(), journalFolder, tr.chronicle.slot.name)
	if half {
		put(t, filepath.Join(root.Name(), "z"), "new z"[:2]+"old z"[2:])
		f, err := os.OpenFile(journal, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		_, err = f.WriteString(markWriting)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	return s, root, journal
}

// fieldsOf lists the fields in what JSON gives.
func fieldsOf(v any) (list []string) {
	add := func(key string, v any) {
		for _, more := range fieldsOf(v) {
			list = append(list, key+"."+more)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, one := range v {
			list = append(list, key)
			add(key, one)
		}
	case []any:
		for i, one := range v {
			add(strconv.Itoa(i), one)
		}
	}
	return list
}

// remove takes a field out of what JSON gives; one that is followed by "=true" is
// set.
func remove(v any, field string) {
	key, rest, more := strings.Cut(field, ".")
	switch v := v.(type) {
	case []any:
		i, _ := strconv.Atoi(key)
		remove(v[i], rest)
	case map[string]any:
		if more {
			remove(v[key], rest)
		} else {
			delete(v, key)
			if key, ok := strings.CutSuffix(key, "=true"); ok {
				v[key] = true
			}
		}
	}
}

// bodyOf gives what the JSON of a journal says.
func bodyOf(t *testing.T, data []byte) (body any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(bytes.SplitAfterN(data, []byte{'\n'}, 2)[1]))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&body))
	return body
}

// resummed gives a journal another body, with the sum of that.
func resummed(t *testing.T, data []byte, body any) []byte {
	t.Helper()
	lines := bytes.SplitAfterN(data, []byte{'\n'}, 3)
	text, err := json.Marshal(body)
	require.NoError(t, err)
	sum := sha256.Sum256(text)
	return fmt.Appendf(nil, "%s %d %s\n%s\n%s", journalMagic, len(text), hex.EncodeToString(sum[:]), text, lines[2])
}

// A journal that is whole and from which a field is missing, or says what it should
// not, never ends the program,
// nor makes a file anything but what it was found to be or one of the two versions;
// one that no commit writes changes no file.
func TestJournalsWithoutAField(t *testing.T) {
	old := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "z": "old z", "z2": "old z"}
	new := map[string]string{"a": "one", "b": "two", "d": "four", "n/e/w": "new", "z": "new z", "z2": "new z"}
	refused := map[string]bool{}
	for n := range 8 {
		published, half := min(n, 6), n == 7
		if half {
			published = 5
		}
		s, root, at := everyChange(t, published, half)
		found := contents(t, root.Name())
		data, err := os.ReadFile(at)
		require.NoError(t, err)
		require.Empty(t, recovered(t, s, root).Conflicts)
		fields := fieldsOf(bodyOf(t, data))
		for i := range 6 {
			for _, name := range []string{"in_place", "later", "kept"} {
				fields = append(fields, fmt.Sprintf("work.%d.%s=true", i, name))
			}
		}
		for _, field := range fields {
			what := fmt.Sprintf("%d made, half: %t, without %s", published, half, field)
			s, root, at := everyChange(t, published, half)
			data, err := os.ReadFile(at)
			require.NoError(t, err)
			body := bodyOf(t, data)
			remove(body, field)
			data = resummed(t, data, body)
			require.NoError(t, os.WriteFile(at, data, 0o600))
			_, _, why := decodeJournal(data)
			report, err := s.Recover(t.Context(), root)
			require.NoError(t, err, what)
			now := contents(t, root.Name())
			may := []map[string]string{found, old, new}
			if why != nil {
				require.ErrorIs(t, why, errFalseJournal, what)
				require.NotEmpty(t, report.Conflicts, what)
				refused[digitless(field)] = true
				may = may[:1]
			}
			for name := range everyName(old, new) {
				text, there := now[name]
				require.True(t, slices.ContainsFunc(may, func(m map[string]string) bool {
					as, is := m[name]
					return is == there && as == text
				}), "%s: %s is %q", what, name, text)
			}
			require.Equal(t, now["z"], now["z2"], what)
		}
	}
	t.Log(slices.Sorted(maps.Keys(refused)))
	for _, name := range []string{"record", "record.id", "record.time", "record.files", "record.files.path", "record.files.real", "record.files.old", "record.files.new",
		"record.files.kept", "work", "work.stage", "work.back", "work.later", "work.in_place"} {
		require.True(t, refused[name], name)
	}
}

func everyName(sets ...map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, set := range sets {
		for name := range set {
			names[name] = true
		}
	}
	return names
}

// digitless leaves out the places in lists.
func digitless(field string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(field, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	}), ".")
}
