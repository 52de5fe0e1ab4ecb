package workspace

import (
	"context"
	"math"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/snapshot"
)

// ReadArgs are the arguments of [Session.Read].
type ReadArgs struct {
	// Path of the file, relative to the root. Required.
	Path string
	// Offset is the first row to show, from 1. Optional, not with Ranges.
	Offset *int
	// Limit is how many rows to show at most. Optional, not with Ranges.
	Limit *int
	// Ranges shows several runs of rows, such as "10-20,80-95". Optional.
	Ranges string
}

// Read shows a file as numbered rows under its header (spec 4 and 8). The whole
// file is hashed, whatever part of it is shown.
func (s *Session) Read(ctx context.Context, args ReadArgs) (*Result, error) {
	start, err := time.Now(), ended(ctx)
	if err == nil {
		if res := s.stubByStamp(args); res != nil {
			return res, nil
		}
	}
	var f file
	var view snapshot.View
	if err == nil {
		f, view, err = s.readView(args)
	}
	if err != nil {
		return nil, s.refuse("read_file rejected", err)
	}
	defer f.close()
	if s.stubs && len(view.Clipped) == 0 && s.ledger != nil && s.ledger.Covered(f.place.real, s.versionOf(f), view.Rows) {
		s.see([]shown{{f, view.Rows}}) // now under this tag too
		return stub(f.path, s.versionOf(f), view.Rows), nil
	}
	s.see([]shown{{f, view.Rows}})
	s.stamp(f, start)
	return &Result{Content: view.Text}, nil
}

func (s *Session) readView(args ReadArgs) (f file, view snapshot.View, err error) {
	refuse := func(err error) (file, snapshot.View, error) { return file{}, snapshot.View{}, err }
	var spans []hashline.Span
	if args.Ranges != "" {
		if args.Offset != nil || args.Limit != nil {
			return refuse(fault(hashline.BadArgument, args.Path, "ranges cannot go with offset or limit", "give ranges alone, such as 10-20,80-95"))
		}
		if spans, err = snapshot.ParseRanges(args.Ranges); err != nil {
			return refuse(at(args.Path, err))
		}
	}
	pl, err := s.resolve(args.Path)
	if err != nil {
		return refuse(err)
	}
	if f, err = s.loadLarge(pl, false); err != nil {
		return refuse(err)
	}
	f.snap.MaxRows = s.rows
	if spans != nil {
		view, err = f.snap.ReadRanges(spans, s.limit)
	} else {
		offset, limit := 1, math.MaxInt
		if args.Offset != nil {
			offset = *args.Offset
		}
		if args.Limit != nil {
			limit = *args.Limit
		}
		view, err = f.snap.Read(offset, limit, s.limit)
	}
	if err == nil {
		err = f.failed()
	}
	if err != nil {
		f.close()
		return refuse(at(f.path, err))
	}
	return f, view, nil
}
