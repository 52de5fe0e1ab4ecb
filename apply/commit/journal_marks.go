package commit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// readMarks gives the marks behind a journal; ok is false where there is anything
// else. The last one may be cut short, or what a power failure left of it.
func readMarks(data []byte) (marks string, ok bool) {
	data = bytes.TrimRight(bytes.TrimPrefix(data, []byte{'\n'}), "\x00")
	for line := range strings.Lines(string(data)) {
		if !strings.HasSuffix(line, "\n") {
			return marks, beginsMark(line)
		}
		if !isMark(line) {
			return "", false
		}
		marks += line
	}
	return marks, true
}

func isMark(line string) bool {
	switch line {
	case markStaged, markWriting, markRecovering, markPublished, markDone, markFailed, markBack:
		return true
	}
	var i int
	var hex string
	var d history.Digest
	n, _ := fmt.Sscanf(line, markNew, &i, &hex)
	return n == 2 && d.UnmarshalText([]byte(hex)) == nil
}

func beginsMark(line string) bool {
	for _, mark := range [...]string{markStaged, markWriting, markRecovering, markPublished, markDone, markFailed, markBack} {
		if strings.HasPrefix(mark, line) {
			return true
		}
	}
	return strings.HasPrefix(line, "new "[:min(4, len(line))])
}

// progress is what the marks of a journal say.
type progress struct {
	// staged: all new versions are whole. writing: files are being overwritten.
	// published: all are new.
	staged, writing, published bool
	// recovering: a recovery is, or was, at work.
	recovering bool
	// The commit said that it succeeded, that it failed, or that it failed and some
	// files are to be put back.
	done, failed, back bool
}

func progressOf(marks string) (p progress) {
	for line := range strings.Lines(marks) {
		switch line {
		case markStaged:
			p.staged = true
		case markWriting:
			p.writing = true
		case markPublished:
			p.published = true
		case markRecovering:
			p.recovering = true
		case markDone:
			p.done = true
		case markFailed:
			p.failed = true
		case markBack:
			p.back = true
		}
	}
	return p
}
