package ledger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"path"
	"slices"
	"time"

	"github.com/hashline-go/hashline/hashline"
)

// maxSaved is how many bytes a saved ledger has at most.
const maxSaved = 64 << 20

// Load reads what [Ledger.Save] wrote. Anything else, whole or in part, is
// refused with a [hashline.IO] diagnostic and no ledger. A nil shelf is one of
// its own.
func Load(r io.Reader, shelf *Shelf) (*Ledger, error) {
	l, err := load(r, shelf)
	if err != nil {
		return nil, &hashline.Diagnostic{
			Code: hashline.IO,
			Msg:  "the saved session cannot be used: " + err.Error(),
			Hint: "forget the session and read the files again",
		}
	}
	return l, nil
}

func load(r io.Reader, shelf *Shelf) (*Ledger, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSaved+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSaved {
		return nil, bad("it is longer than %d MiB", maxSaved>>20)
	}
	var all saved
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(&all)
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = bad("something follows it")
	}
	if err != nil {
		// Another format may have other members.
		var s struct {
			Format int `json:"format"`
		}
		if json.Unmarshal(data, &s) == nil {
			all.Format = s.Format
		}
	}
	switch {
	case all.Format != format && all.Format != 0:
		return nil, bad("it has format %d, not %d", all.Format, format)
	case err != nil:
		return nil, err
	case all.Format == 0:
		return nil, bad("it has no format")
	}
	if len(all.Files) > maxFiles || len(all.Done) > maxApplied {
		return nil, bad("it has %d files and %d documents", len(all.Files), len(all.Done))
	}
	l := New(shelf)
	for i := range all.Files {
		if err := l.loadFile(&all.Files[i]); err != nil {
			return nil, err
		}
	}
	if l.runs > maxRuns {
		return nil, bad("it has %d runs", l.runs)
	}
	sections := 0
	for i := range all.Done {
		if sections += len(all.Done[i].Sections); sections > maxSections && len(all.Done) > 1 {
			return nil, bad("its documents have %d sections", sections)
		}
		if err := l.loadDone(&all.Done[i]); err != nil {
			return nil, err
		}
	}
	return l, l.loadHashes(all.Hashes)
}

func (l *Ledger) loadFile(s *savedFile) error {
	// A link may lead to a name that cannot stand in a header.
	if s.Path == "" || path.Clean(s.Path) != s.Path || l.files[s.Path] != nil || len(s.Versions) > maxVersions {
		return bad("%.80q stands wrong", s.Path)
	}
	f := &file{removed: s.Removed, end: s.End}
	head, err := parseVersion(s.Tag, s.Text)
	f.head = head
	var errs [4]error
	f.lines, errs[0] = s.Lines.parse(bounds{what: "lines", rows: head.Lines, places: maxLines, marks: moved | changed})
	f.seen, errs[1] = s.Seen.parse(bounds{what: "seen", rows: maxLines, places: head.Lines, marks: moved | changed | noPlace})
	f.told, errs[2] = s.Told.parse(bounds{what: "told", rows: maxLines, places: head.Lines, marks: moved | changed | gone | unknown})
	if s.End < 0 || s.End > maxLines {
		errs[3] = bad("end is %d", s.End)
	}
	if err := cmp.Or(err, cmp.Or(errs[:]...)); err != nil {
		return err
	}
	for i := range s.Versions {
		v, err := s.Versions[i].load(head.Lines)
		if err != nil {
			return err
		}
		f.versions = append(f.versions, v)
	}
	if t := s.Stamp; t != nil {
		id, err := parseIdent(t.Text)
		if err != nil {
			return err
		}
		f.stamp = stamped{t.Stamp, time.Unix(0, t.Read), id}
	}
	l.clock++
	f.used = l.clock
	l.files[s.Path] = f
	l.settle(s.Path)
	if l.files[s.Path] != f || len(l.files) != int(l.clock) {
		return bad("it has more than %d runs", maxRuns)
	}
	return nil
}

func (s *savedVersion) load(head int) (*version, error) {
	var v version
	var errs [6]error
	v.Version, errs[0] = parseVersion(s.Tag, s.Text)
	v.at, v.tracked, v.judged = time.Unix(0, s.At), s.Tracked, s.Judged
	v.shown, errs[1] = s.Shown.parse(bounds{what: "shown", rows: v.Lines, places: v.Lines})
	v.track, errs[2] = s.Track.parse(bounds{what: "track", rows: v.Lines, places: head, marks: moved | changed, ascend: true})
	v.bad, errs[3] = s.Bad.parse(bounds{what: "bad", rows: v.Lines, places: v.Lines, marks: unknown})
	v.mine, errs[4] = s.Mine.parse(bounds{what: "mine", rows: v.Lines, places: v.Lines})
	v.offers, errs[5] = s.Offers.parse(v.Lines)
	for _, r := range append(v.shown[:len(v.shown):len(v.shown)], v.mine...) {
		if r.first != r.to {
			return nil, bad("shown or mine holds %d as %d", r.first, r.to)
		}
	}
	return &v, cmp.Or(errs[:]...)
}

func (l *Ledger) loadDone(s *savedDone) (err error) {
	var a applied
	if a.sum, err = parseSum(s.Document); err != nil {
		return err
	}
	for _, sec := range s.Sections {
		r := result{path: sec.Path, open: sec.Open}
		if r.base, err = parseIdent(sec.Base); err != nil {
			return err
		}
		for _, text := range sec.States {
			id, err := parseIdent(text)
			if err != nil {
				return err
			}
			r.states = append(r.states, id)
		}
		if len(r.states) == 0 || len(r.states) > maxChain {
			return bad("a document has %d states", len(r.states))
		}
		a.sections = append(a.sections, r)
	}
	l.done = append(l.done, a)
	return nil
}

func (l *Ledger) loadHashes(all []savedHashes) error {
	total := 0
	// The last put is the last to go.
	for _, s := range slices.Backward(all) {
		id, err := parseIdent(s.Text)
		if err != nil {
			return err
		}
		if total += len(s.Hashes) / 8; total > maxSavedHashes || len(s.Hashes)%8 != 0 || len(s.Hashes)/8 != id.lines {
			return bad("%s has %d bytes of hashes", s.Text, len(s.Hashes))
		}
		h := make([]uint64, id.lines)
		for i := range h {
			h[i] = binary.LittleEndian.Uint64(s.Hashes[8*i:])
		}
		l.shelf.keep(id, h)
	}
	return nil
}
