package ledger_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

// sample is a ledger with something of everything.
func sample(t testing.TB) []byte {
	l := ledger.New(nil)
	v0 := numbered(30)
	v1, changes := replaced(v0, 4, 6, "x")
	v2, _ := replaced(v1, 9, 9, "y", "z")
	l.Shown("a b.go", of(v0), rows(1, 20), noon)
	l.Edited("a b.go", of(v0), of(v1), changes, rows(1, 7), noon)
	l.NoteApplied(&hashline.Document{Sections: []hashline.Section{{Path: "a b.go", Tag: of(v0).Tag, Ops: cut(1, 1)}}},
		[]ledger.Landed{{Path: "a b.go", Base: of(v0), Result: of(v1)}})
	l.Shown("a b.go", of(v2), rows(8, 9), noon)
	l.Offered("a b.go", of(v2), ledger.OffersOf(cut(10, 25)), noon)
	l.Stamped("a b.go", of(v2), ledger.Stamp{MtimeNs: 1, CtimeNs: 2, Size: 3, Inode: 1 << 63, Dev: 5}, noon)
	l.Wrote("gone", ledger.Version{}, of(v0[:5]), noon)
	l.Removed("gone")
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	return saved.Bytes()
}

func TestSavedAgain(t *testing.T) {
	saved := sample(t)
	l, err := ledger.Load(bytes.NewReader(saved), nil)
	require.NoError(t, err)
	var again bytes.Buffer
	require.NoError(t, l.Save(&again))
	require.Equal(t, string(saved), again.String())
	require.Equal(t, []string{"a b.go", "gone"}, l.Paths())
}

// TestSavedNames: names that no header can carry, as a link may lead to, do not
// spoil what is saved.
func TestSavedNames(t *testing.T) {
	l := ledger.New(nil)
	names := []string{" blank ", "line\nbreak", "\xFF", "\xFE", "a<b>&"}
	for _, p := range names {
		l.Shown(p, of(numbered(3)), rows(1, 3), noon)
	}
	var saved bytes.Buffer
	require.NoError(t, l.Save(&saved))
	l, err := ledger.Load(&saved, nil)
	require.NoError(t, err)
	require.Equal(t, []string{" blank ", "a<b>&", "line\nbreak"}, l.Paths())
}

func TestLoadGarbage(t *testing.T) {
	saved := string(sample(t))
	require.Equal(t, 1, strings.Count(saved, `"format":1`))
	for name, garbage := range map[string]string{
		"nothing":          "",
		"no object":        "[]",
		"half":             saved[:len(saved)/2],
		"twice":            saved + saved,
		"another format":   strings.Replace(saved, `"format":1`, `"format":2`, 1),
		"no format":        strings.Replace(saved, `"format":1,`, ``, 1),
		"unknown field":    strings.Replace(saved, `"format":1`, `"format":1,"more":0`, 1),
		"a path not ours":  strings.Replace(saved, `"a b.go"`, `"../a b.go/."`, 1),
		"a file twice":     strings.Replace(saved, `"gone"`, `"a b.go"`, 1),
		"a bad tag":        strings.Replace(saved, `"tag":"`, `"tag":"X`, 1),
		"a bad text":       strings.Replace(saved, `"text":"`, `"text":"00`, 1),
		"rows past end":    strings.Replace(saved, `"seen":[[1,`, `"seen":[[1,99,1,0],[1,`, 1),
		"a bad mark":       strings.Replace(saved, `"lines":[[1,`, `"lines":[[1,1,1,64],[2,`, 1),
		"no such kind":     strings.Replace(saved, `"offers":[[2,`, `"offers":[[5,`, 1),
		"offers past end":  strings.Replace(saved, `"offers":[[2,10,25,10,25]`, `"offers":[[2,10,25,10,26]`, 1),
		"hashes cut":       strings.Replace(saved, `"hashes":"`, `"hashes":"AAAAAAAAAAA=","x":"`, 1),
		"a number too big": strings.Replace(saved, `"end":`, `"end":99999999999999999999`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, saved, garbage)
			l, err := ledger.Load(strings.NewReader(garbage), nil)
			require.Nil(t, l)
			var d *hashline.Diagnostic
			require.True(t, errors.As(err, &d), "%v", err)
			require.Equal(t, hashline.IO, d.Code)
			require.NotContains(t, d.Error(), "\n")
		})
	}
}

// TestLoadAltered changes numbers of a saved ledger at random: what is loaded
// must be usable, and save to what loads again.
func TestLoadAltered(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 7))
	saved := sample(t)
	loaded := 0
	for range 600 {
		data := bytes.Clone(saved)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data))
			if '0' <= data[i] && data[i] <= '9' {
				data[i] = byte('0' + r.IntN(10))
			}
		}
		if !json.Valid(data) {
			continue
		}
		l, err := ledger.Load(bytes.NewReader(data), nil)
		if err != nil {
			continue
		}
		loaded++
		use(l)
		var again bytes.Buffer
		require.NoError(t, l.Save(&again), "seed %d", seed)
		_, err = ledger.Load(&again, nil)
		require.NoError(t, err, "seed %d: %s", seed, data)
	}
	require.NotZero(t, loaded)
}

// use calls what could stumble over records that make no sense.
func use(l *ledger.Ledger) {
	live := of(numbered(31))
	for _, p := range l.Paths() {
		for _, tag := range []hashline.Tag{live.Tag, of(numbered(30)).Tag} {
			l.Judge(p, tag, live, cut(1, 40))
			l.Locate(p, tag, live, cut(2, 25))
			l.Correct(&hashline.Document{Sections: []hashline.Section{{Path: p, Tag: tag, Ops: cut(3, 4)}}},
				[]ledger.Live{{Path: p, Version: live}})
		}
		l.Renumber(p)
		l.Void(p)
		l.Edited(p, live, of(numbered(29)), nil, rows(1, 3), noon)
		l.Covered(p, of(numbered(29)), rows(1, 9))
	}
}
