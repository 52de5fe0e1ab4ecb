package commit

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// errNewerJournal says that a journal is of another form than ours. What it asks
// for is not known here, so that it stays for a program that knows.
var errNewerJournal = errors.New("the journal was written by another version of hashline")

// newer reports whether a journal begins as one of ours, but for its number.
func newer(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte{'\n'})
	rest, ok := strings.CutPrefix(string(head), journalName)
	number, _, _ := strings.Cut(rest, " ")
	return ok && number != "" && strings.Trim(number, "0123456789") == "" && number != journalNumber
}

// leftToNewer is the conflict for a journal that is left alone.
func leftToNewer(name string) error {
	return &hashline.Diagnostic{Code: hashline.RecoveryConflict,
		Msg: errNewerJournal.Error() + ", and is left to it: some of the edit's files may be new and some old",
		Hint: "run the newest hashline of this machine in this root; the journal is " +
			journalFolder + "/" + name + " in the state folder"}
}

var digests = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9a-f]{64}`) })

// mayNeed gives the digests that stand in a journal whose form is not known.
func mayNeed(data []byte, set map[history.Digest]bool) {
	for _, hex := range digests().FindAll(data, -1) {
		var d history.Digest
		if d.UnmarshalText(hex) == nil {
			set[d] = true
		}
	}
}
