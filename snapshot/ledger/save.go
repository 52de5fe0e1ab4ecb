package ledger

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"unicode/utf8"
)

// maxSavedHashes is how many hashes of lines are saved, and savedTexts of how
// many texts of one file.
const (
	maxSavedHashes = 128 << 10
	savedTexts     = 4
)

// Save writes the ledger as JSON, for [Load]. Texts are not written, but the
// hashes of the lines of those used last, up to 131,072 lines in all: what was
// shown, how lines moved and corrected documents outlive the process. A file
// whose name is not UTF-8 is left out. The same ledger gives the same bytes.
func (l *Ledger) Save(w io.Writer) error {
	l.mu.Lock()
	s := l.save()
	l.mu.Unlock()
	return json.NewEncoder(w).Encode(s)
}

func (l *Ledger) save() saved {
	s := saved{Format: format}
	paths := make([]string, 0, len(l.files))
	for p := range l.files {
		if utf8.ValidString(p) { // JSON would make another name of it
			paths = append(paths, p)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(l.files[a].used, l.files[b].used) })
	for _, p := range paths {
		s.Files = append(s.Files, l.files[p].save(p))
	}
	for _, a := range l.done {
		d := savedDone{Document: hex.EncodeToString(a.sum[:])}
		for _, r := range a.sections {
			sec := savedSection{Path: r.path, Base: r.base.String(), Open: r.open}
			for _, id := range r.states {
				sec.States = append(sec.States, id.String())
			}
			d.Sections = append(d.Sections, sec)
		}
		s.Done = append(s.Done, d)
	}
	s.Hashes = l.saveHashes(paths)
	return s
}

func (f *file) save(p string) savedFile {
	out := savedFile{
		Path: p, Tag: f.head.Tag.String(), Text: f.head.id().String(), Removed: f.removed,
		Lines: saveRuns(f.lines), Seen: saveRuns(f.seen), Told: saveRuns(f.told), End: f.end,
	}
	for _, v := range f.versions {
		out.Versions = append(out.Versions, savedVersion{
			Tag: v.Tag.String(), Text: v.id().String(), At: v.at.UnixNano(), Shown: saveRuns(v.shown), Offers: saveOffers(v.offers),
			Tracked: v.tracked, Track: saveRuns(v.track), Mine: saveRuns(v.mine), Judged: v.judged, Bad: saveRuns(v.bad),
		})
	}
	if !f.stamp.read.IsZero() {
		out.Stamp = &savedStamp{f.stamp.Stamp, f.stamp.read.UnixNano(), f.stamp.id.String()}
	}
	return out
}

// saveHashes gives hashes of the heads first, then of older texts, of the files
// used last first.
func (l *Ledger) saveHashes(paths []string) []savedHashes {
	var out []savedHashes
	room := maxSavedHashes
	have := map[ident]bool{}
	for k := range savedTexts {
		for _, p := range slices.Backward(paths) {
			v := l.files[p].head
			if older := l.files[p].versions; k > len(older) {
				continue
			} else if k > 0 {
				v = older[len(older)-k].Version
			}
			if have[v.id()] || v.Lines == 0 || v.Lines > room {
				continue
			}
			h, ok := l.shelf.lines(v)
			if !ok {
				continue
			}
			data := make([]byte, 0, 8*len(h))
			for _, x := range h {
				data = binary.LittleEndian.AppendUint64(data, x)
			}
			out = append(out, savedHashes{v.id().String(), data})
			have[v.id()], room = true, room-len(h)
		}
	}
	return out
}
