package search

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/gitignore"
)

// limits are what a search may take; only tests know others than these.
type limits struct {
	time    time.Duration
	entries int
}

var usual = limits{time: 10 * time.Second, entries: 200_000}

// Run searches the tree below root. tag makes the tag of a file's whole text,
// byte-order mark included, and must not keep the text; allow says whether a
// file, or a folder and all in it, may be searched, and what it refuses is not
// even counted. tag is called from several goroutines at once, allow from one at
// a time; a nil allow allows all. user says where the user's settings of git lie.
//
// A search that takes too long gives what it found and says so. An error is a
// [hashline.Diagnostic]: the query's faults (see [Query.Check]), NotFound,
// NotRegular and Denied for its path, and Cancelled or Timeout when ctx ends.
func Run(ctx context.Context, root *os.Root, user gitignore.User, q Query, tag func(text []byte) hashline.Tag, allow func(path string, isDir bool) bool) (*Result, error) {
	return run(ctx, root, user, q, tag, allow, usual)
}

func run(ctx context.Context, root *os.Root, user gitignore.User, q Query, tag func([]byte) hashline.Tag, allow func(string, bool) bool, most limits) (*Result, error) {
	p, err := q.compile()
	if err != nil {
		return nil, err
	}
	if allow == nil {
		allow = func(string, bool) bool { return true }
	}
	at, err := locate(root, user, p.Path, allow)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, most.time)
	defer cancel()
	s := &search{plan: p, ctx: limited, tag: tag, result: &Result{Mode: p.Mode, context: p.Context}}
	w := &walker{ctx: limited, plan: p, allow: allow, entries: most.entries}
	s.collect(w, at)

	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &hashline.Diagnostic{Code: hashline.Timeout, Msg: "the search took longer than its caller allowed", Hint: "narrow the path or glob"}
	case err != nil:
		return nil, &hashline.Diagnostic{Code: hashline.Cancelled, Msg: "the search was cancelled"}
	case limited.Err() != nil:
		s.result.Stopped = strconv.Itoa(int(most.time/time.Second)) + " s"
	case w.full:
		s.result.Stopped = thousands(most.entries) + " entries"
	}
	return s.result, nil
}

// thousands writes a number with a comma where it has thousands.
func thousands(n int) string {
	text := strconv.Itoa(n)
	if len(text) > 3 {
		text = text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// A search runs three stages at once: a walker that finds files in order,
// workers that scan them, and a collector that takes what they found in the
// walker's order, so that the result does not depend on which was faster.
type search struct {
	plan *plan
	ctx  context.Context
	tag  func([]byte) hashline.Tag

	result *Result
	// shown is how many results the files collected so far show.
	shown atomic.Int64
}

// A job is one file on its way.
type job struct {
	dir        *folder
	name, path string

	done    chan struct{}
	found   File
	skipped Skipped
	// crash is what a worker panicked with.
	crash any
}

func (s *search) stopped() bool { return s.ctx.Err() != nil }

func (s *search) collect(w *walker, at *place) {
	todo, order := make(chan *job, 64), make(chan *job, 256)
	w.emit = func(dir *folder, name, path string) bool {
		j := &job{dir: dir.use(), name: name, path: path, done: make(chan struct{})}
		todo <- j
		order <- j
		return !s.stopped()
	}
	var running sync.WaitGroup
	// What a stage panics with is handed on to the goroutine of the caller, who
	// may have a way to live on.
	var crash, crashed any
	running.Go(func() {
		defer close(order)
		defer close(todo)
		defer func() { crash = recover() }()
		at.walk(w)
	})
	for range max(2, min(runtime.GOMAXPROCS(0), 8)) {
		running.Go(func() { s.work(todo) })
	}
	for j := range order {
		<-j.done
		if j.crash != nil {
			crashed = j.crash
		}
		s.take(j)
	}
	running.Wait()
	if crashed = cmp.Or(crashed, crash); crashed != nil {
		panic(crashed)
	}
	s.result.Skipped.add(w.skipped)
}

// take adds what was found in one file.
func (s *search) take(j *job) {
	r := s.result
	r.Skipped.add(j.skipped)
	f := j.found
	if f.Matches == 0 {
		return
	}
	r.Matches += f.Matches
	r.Matched++
	left := s.plan.MaxResults - int(s.shown.Load())
	if left <= 0 {
		return
	}
	shows := 1
	if s.plan.Mode == Content {
		shows = min(f.Matches, s.plan.MaxPerFile, left)
		f.Rows = trim(f.Rows, shows, s.plan.Context)
	}
	s.shown.Add(int64(shows))
	r.Files = append(r.Files, f)
}

func (s *search) work(todo <-chan *job) {
	sc := &scanner{plan: s.plan, stopped: s.stopped}
	var buf []byte
	for j := range todo {
		s.file(sc, j, &buf)
	}
}

// file scans one file.
func (s *search) file(sc *scanner, j *job, buf *[]byte) {
	defer close(j.done)
	defer j.dir.done()
	defer func() { j.crash = recover() }()
	if s.stopped() {
		return
	}
	text, skipped := read(j.dir.root, j.name, buf)
	j.skipped = skipped
	if text == nil {
		return
	}
	// Files before this one that are not collected yet can only leave less
	// room, so what is shown can be told early.
	keep := 0
	if s.plan.Mode == Content && int(s.shown.Load()) < s.plan.MaxResults {
		keep = s.plan.MaxPerFile
	}
	j.found.Path = j.path
	j.found.Rows, j.found.Matches = sc.scan(text, keep)
	if len(j.found.Rows) > 0 {
		j.found.Tag = s.tag(text.Bytes())
	}
}
