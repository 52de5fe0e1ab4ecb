package ledger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// format is the version of what [Ledger.Save] writes.
const format = 1

// saved is a ledger as JSON. Files and documents stand in the order of their
// last use.
type saved struct {
	Format int           `json:"format"`
	Files  []savedFile   `json:"files"`
	Done   []savedDone   `json:"applied"`
	Hashes []savedHashes `json:"hashes"`
}

type savedFile struct {
	Path     string         `json:"path"`
	Tag      string         `json:"tag"`
	Text     string         `json:"text"`
	Removed  bool           `json:"removed,omitempty"`
	Lines    savedRuns      `json:"lines,omitempty"`
	Seen     savedRuns      `json:"seen,omitempty"`
	Told     savedRuns      `json:"told,omitempty"`
	End      int            `json:"end,omitempty"`
	Versions []savedVersion `json:"versions"`
	Stamp    *savedStamp    `json:"stamp,omitempty"`
}

type savedVersion struct {
	Tag     string      `json:"tag"`
	Text    string      `json:"text"`
	At      int64       `json:"at"`
	Shown   savedRuns   `json:"shown,omitempty"`
	Offers  savedOffers `json:"offers,omitempty"`
	Tracked bool        `json:"tracked,omitempty"`
	Track   savedRuns   `json:"track,omitempty"`
	Mine    savedRuns   `json:"mine,omitempty"`
	Judged  bool        `json:"judged,omitempty"`
	Bad     savedRuns   `json:"bad,omitempty"`
}

type savedStamp struct {
	Stamp
	Read int64  `json:"read"`
	Text string `json:"text"`
}

type savedDone struct {
	Document string         `json:"document"`
	Sections []savedSection `json:"sections"`
}

type savedSection struct {
	Path   string   `json:"path"`
	Base   string   `json:"base"`
	States []string `json:"states"`
	Open   bool     `json:"open,omitempty"`
}

// savedHashes holds the hashes of a text's lines, 8 bytes each, low byte first.
type savedHashes struct {
	Text   string `json:"text"`
	Hashes []byte `json:"hashes"`
}

// savedRuns are runs as first, last, to, mark.
type savedRuns [][4]int

func saveRuns(rs runs) savedRuns {
	var out savedRuns
	for _, r := range rs {
		out = append(out, [4]int{r.first, r.last, r.to, int(r.mark)})
	}
	return out
}

// String gives the identity as a saved ledger has it: the sum in hex, a dash and
// the number of lines.
func (id ident) String() string { return fmt.Sprintf("%016x-%d", id.sum, id.lines) }

// maxLines is more than the lines of any file that is read.
const maxLines = 1<<30 + 1

var errSaved = errors.New("not what was saved")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errSaved, fmt.Sprintf(format, args...))
}

func parseIdent(s string) (id ident, err error) {
	sum, lines, ok := strings.Cut(s, "-")
	if id.sum, err = strconv.ParseUint(sum, 16, 64); err == nil && ok {
		id.lines, err = strconv.Atoi(lines)
	}
	if err != nil || !ok || id.lines < 0 || id.lines > maxLines || id.String() != s {
		return ident{}, bad("%.40q is no text", s)
	}
	return id, nil
}

func parseVersion(tag, text string) (v Version, err error) {
	id, err := parseIdent(text)
	if err == nil {
		v.Tag, err = hashline.ParseTag(tag)
	}
	v.Sum, v.Lines = id.sum, id.lines
	return v, err
}

func parseSum(s string) (sum [32]byte, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(sum) {
		return sum, bad("%.40q is no document", s)
	}
	return [32]byte(b), nil
}

// bounds says what runs may hold.
type bounds struct {
	what string
	// rows and places are the highest row and place.
	rows, places int
	marks        mark
	// ascend: places ascend with the rows.
	ascend bool
}

// parse checks runs. Nothing that they are used for can fail afterwards.
func (s savedRuns) parse(b bounds) (runs, error) {
	var out runs
	row, place := 0, 0
	for _, r := range s {
		first, last, to, m := r[0], r[1], r[2], r[3]
		if first <= row || last < first || last > b.rows || m < 0 || m > int(b.marks) || mark(m)&^b.marks != 0 {
			return nil, bad("%s holds %v", b.what, r)
		}
		switch none := mark(m) & noPlace; {
		case none != 0:
			if to != 0 || mark(m) != none || none&(none-1) != 0 || b.ascend {
				return nil, bad("%s holds %v", b.what, r)
			}
		case to < 1 || to > b.places || last-first > b.places-to || b.ascend && to <= place:
			return nil, bad("%s holds %v", b.what, r)
		}
		row, place = last, to+last-first
		out = out.add(run{first, last, to, mark(m)})
	}
	return out, nil
}
