package workspace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/apply/commit"
	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
	"github.com/hashline-go/hashline/snapshot/ledger"
)

const (
	writeRejected = "write rejected, nothing was written"
	// expectAbsent is the value of expect for a file that must not exist.
	expectAbsent = "absent"
)

// WriteArgs are the arguments of [Session.Write].
type WriteArgs struct {
	// Path of the file, relative to the root. Required.
	Path string
	// Content is the whole text of the file. Required, may be empty.
	Content string
	// Expect is the tag that the file must have, or "absent". Optional.
	Expect string
}

// Write creates a file, with the folders it needs, or rewrites it (spec 8). An
// existing file keeps its mode, its encoding and its byte-order mark.
func (s *Session) Write(ctx context.Context, args WriteArgs) (*Result, error) {
	res, err := s.write(ctx, args)
	s.count(err)
	return res, err
}

func (s *Session) write(ctx context.Context, args WriteArgs) (*Result, error) {
	if s.policy.readOnly {
		return nil, s.refuse(writeRejected, readOnly())
	}
	if err := writableText(args); err != nil {
		return nil, s.refuse(writeRejected, err)
	}
	pl, held, err := s.lockPlace(ctx, args.Path)
	if err != nil {
		return nil, s.refuse(writeRejected, s.whereInstead(err, args.Path))
	}
	defer held.Release()
	if !pl.exists {
		return s.create(ctx, pl, args)
	}
	return s.rewrite(ctx, pl, args)
}

// writableText checks the arguments that need no file.
func writableText(args WriteArgs) error {
	if args.Expect != "" && args.Expect != expectAbsent {
		if _, err := hashline.ParseTag(args.Expect); err != nil {
			return fault(hashline.BadArgument, args.Path, "expect is neither a tag nor absent: "+cut(args.Expect, 80), `give the 4 hex digits of the file's header, or "absent"`)
		}
	}
	if len(args.Content) > MaxFile {
		return tooLarge(args.Path)
	}
	if err := snapshot.CheckUTF8([]byte(args.Content)); err != nil {
		d := faultsOf(err)[0]
		d.Path, d.Msg = args.Path, "the content is "+d.Msg
		return d
	}
	return nil
}

func (s *Session) create(ctx context.Context, pl place, args WriteArgs) (*Result, error) {
	if args.Expect != "" && args.Expect != expectAbsent {
		d := fault(hashline.StaleTag, pl.path, "expect is "+args.Expect+" but the file does not exist", "leave expect out, or give absent, to create it")
		return nil, s.refuse(writeRejected, d)
	}
	data := []byte(args.Content)
	if err := cmp.Or(headerAsPath(pl.path, args), pastedView(pl.path, args)); err != nil {
		return nil, s.refuse(writeRejected, err)
	}
	after := snapshot.Take(pl.path, s.scheme, snapshot.New(data))
	change := FileChange{Path: pl.path, NewTag: &after.Tag, Added: after.Text.Lines(), after: data}
	warnings, err := s.put(ctx, commit.Note{Tool: "write"}, []pending{{place: pl, create: true, new: data, change: change, spans: changedLines(nil, data)}})
	if err != nil {
		return nil, s.refuseWrite(pl, err)
	}
	s.learnWrite(nil, file{place: pl, snap: after})
	return s.writeResult("created "+pl.path, file{place: pl, snap: after}, []FileChange{change}, named(pl.path, warnings)), nil
}

func (s *Session) rewrite(ctx context.Context, pl place, args WriteArgs) (*Result, error) {
	f, err := s.load(pl)
	if err != nil {
		return nil, s.refuse(writeRejected, err)
	}
	if err := s.expected(f, args); err != nil {
		return nil, err
	}
	warned, err := s.readBefore(f)
	if err != nil {
		return nil, err
	}
	old := f.snap.Text
	text := old.With([]byte(args.Content))
	if text.RawSize() > MaxFile {
		return nil, s.refuse(writeRejected, tooLarge(pl.path))
	}
	if bytes.Equal(text.Bytes(), old.Bytes()) {
		s.learnWrite(&f, f)
		return s.writeResult("wrote "+pl.path+" (no change)", f, nil, nil), nil
	}
	after := snapshot.Take(pl.path, s.scheme, text)
	change := rewritten(f.snap, after)
	warnings, err := s.put(ctx, commit.Note{Tool: "write"}, []pending{{place: pl, old: old.Raw(), new: text.Raw(), change: change, spans: changedLines(old.Bytes(), text.Bytes())}})
	if err != nil {
		return nil, s.refuseWrite(pl, err)
	}
	if was, is := lineEnds(old), lineEnds(after.Text); was != "" && is != "" && was != is {
		warnings = append(warnings, &hashline.Diagnostic{
			Code: hashline.LineEnds,
			Msg:  fmt.Sprintf("the file had %s line ends and has %s line ends now", was, is),
		})
	}
	s.learnWrite(&f, file{place: pl, snap: after})
	warnings = append(warnings, warned...)
	return s.writeResult("wrote "+pl.path, file{place: pl, snap: after}, []FileChange{change}, named(pl.path, warnings)), nil
}

// expected refuses to write over a file that is not the one the caller expects,
// or with a view of it.
func (s *Session) expected(f file, args WriteArgs) error {
	live := f.snap.Tag
	switch {
	case args.Expect == expectAbsent:
		d := fault(hashline.Exists, f.path, "the file exists", "to write over it give its tag, "+live.String()+", as expect, or leave expect out")
		d.Live = &live
		return s.refuseShowing(f, d)
	case args.Expect != "" && !strings.EqualFold(args.Expect, live.String()):
		d := fault(hashline.StaleTag, f.path, "expect is "+args.Expect+" but the file's tag is "+live.String(), "look at the live snapshot, then write again with expect "+live.String())
		d.Live = &live
		return s.refuseShowing(f, d)
	}
	if err := pastedView(f.path, args); err != nil {
		return s.refuse(writeRejected, err)
	}
	return nil
}

// readBefore refuses to write over a file that others changed since the session
// was shown it, and warns of, or refuses, one that it never was (spec 9).
func (s *Session) readBefore(f file) (hashline.Diagnostics, error) {
	if s.ledger == nil {
		return nil, nil
	}
	live := f.snap.Tag
	switch s.ledger.Knows(f.place.real, s.versionOf(f)) {
	case ledger.Outdated:
		d := fault(hashline.ChangedSinceRead, f.path, "the file was changed by others since this session last read or wrote it; its tag is "+live.String(),
			"look at the live snapshot, read the rest if that matters, and send the content again if it is still what the file should hold")
		d.Live = &live
		return nil, s.refuseShowing(f, d)
	case ledger.NeverShown:
		switch s.requireRead {
		case Enforce:
			d := fault(hashline.ChangedSinceRead, f.path, "the file exists and this session was never shown it; its tag is "+live.String(),
				"look at the live snapshot, read the rest if that matters, and send the content again to write over it")
			d.Live, d.Reason = &live, string(ledger.Unread)
			return nil, s.refuseShowing(f, d)
		case Warn:
			return hashline.Diagnostics{{Code: hashline.Unread, Msg: "a file was written over that this session was never shown", Hint: "undo brings the old text back"}}, nil
		}
	}
	return nil, nil
}

func (s *Session) refuseShowing(f file, d *hashline.Diagnostic) error {
	r := &refusal{head: writeRejected, faults: hashline.Diagnostics{d}}
	r.views = append(r.views, chainView(f))
	return s.render(r)
}

func (s *Session) refuseWrite(pl place, err error) error {
	faults := faultsOf(at(pl.path, err))
	r := &refusal{head: writeRejected, faults: faults}
	if r.torn(err) {
		r.head = "write failed in the middle, and the file could not be put back"
	}
	if faults[0].Code == hashline.ChangedDuringEdit {
		if f, err := s.load(pl); err == nil {
			live := f.snap.Tag
			faults[0].Live = &live
			r.views = append(r.views, chainView(f))
		}
	}
	return s.render(r)
}

func (s *Session) writeResult(head string, after file, changes []FileChange, warnings hashline.Diagnostics) *Result {
	var b strings.Builder
	b.WriteString(head + "\n\n")
	room := s.limit - b.Len()
	if len(warnings) > 0 {
		room -= room / 4
	}
	b.WriteString(after.snap.Chain(room).Text)
	warningLines(&b, warnings, s.limit)
	return &Result{Content: b.String(), Files: changes, Warnings: warnings}
}

// named puts the path of a file into the warnings about it.
func named(path string, warnings hashline.Diagnostics) hashline.Diagnostics {
	for _, d := range warnings {
		d.Path = path
	}
	return warnings
}

// lineEnds names the line ends of a text: "LF", "CRLF", "mixed", or "" where
// there is none.
func lineEnds(t *snapshot.Text) string {
	crlf := bytes.Count(t.Bytes(), []byte("\r\n"))
	all := bytes.Count(t.Bytes(), []byte{'\n'})
	switch {
	case all == 0:
		return ""
	case crlf == 0:
		return "LF"
	case crlf == all:
		return "CRLF"
	}
	return "mixed"
}
