package history

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"
)

// Record is what an edit did.
type Record struct {
	// ID names the record. IDs sort as the times do.
	ID   string    `json:"id"`
	Time time.Time `json:"time"`
	// Root is the folder that paths are relative to.
	Root Root `json:"root"`
	// Session and Tool say who edited and how; may be "".
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool,omitempty"`
	// Owner is the identity of the session that edited, which tells it from others of
	// its name; "" where it has none.
	Owner string `json:"owner,omitempty"`
	// Of is the ID of an edit that was interrupted, or failed in the middle, and
	// left a file as neither it nor what was before it: this record tells of that
	// file alone, from what was before the edit to what was found. "" for all
	// others.
	Of string `json:"of,omitempty"`
	// Undoes lists the IDs of the edits that this one took back, newest first.
	Undoes []string `json:"undoes,omitempty"`
	Files  []File   `json:"files"`
	// Folders are those that the edit made, parents first.
	Folders []Name `json:"folders,omitempty"`
	// Emptied are those that the edit removed, or would have removed had they
	// been empty, parents first.
	Emptied []Folder `json:"emptied,omitempty"`
}

// File is what an edit did to one file.
type File struct {
	// Path is the file as the edit named it, Real where it lies: without
	// symbolic links. Both are relative to the root, with "/" between names.
	Path Name `json:"path"`
	Real Name `json:"real"`
	// Old and New are the digests before and after; nil where there was no
	// file.
	Old *Digest `json:"old,omitempty"`
	New *Digest `json:"new,omitempty"`
	// OldTag and NewTag are the tags (spec 3), "" where they are not known.
	OldTag string `json:"old_tag,omitempty"`
	NewTag string `json:"new_tag,omitempty"`
	// Mode is that of the file that the edit replaced or removed, 0 for one
	// that it created.
	Mode fs.FileMode `json:"mode,omitempty"`
	// Kept are the attributes of a file that the edit removed; NoKept says why
	// they are not known, "" where they are.
	Kept   *Attributes `json:"kept,omitempty"`
	NoKept string      `json:"no_kept,omitempty"`
	// Added and Removed count lines.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// NoImage says why the old bytes are not in the history; "" where they
	// are.
	NoImage string `json:"no_image,omitempty"`
	// Delta leads from the old bytes, none for a new file, to the new ones; nil
	// where it would be long, or was not made.
	Delta *Delta `json:"delta,omitempty"`
}

// Root identifies a folder. A folder that was moved keeps its identity, one
// that takes the place of another has one of its own.
type Root struct {
	Path   Name   `json:"path"`
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	// Born is the time the folder was made, in nanoseconds; 0 where the system
	// does not tell.
	Born int64 `json:"born,omitempty"`
}

// Is reports whether two identities are of one folder. The number of a device
// may be another after the machine was started again; the path then decides.
func (r Root) Is(o Root) bool {
	return r.Inode == o.Inode && r.Born == o.Born && (r.Device == o.Device || r.Path == o.Path)
}

// Key gives 16 hex digits that are equal for equal folders, wherever they are.
func (r Root) Key() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d", r.Inode, r.Born)
	return hex.EncodeToString(h.Sum(nil))
}

// NewID makes the ID of a record.
func NewID(t time.Time) string {
	return fmt.Sprintf("%016x-%s", uint64(t.UnixNano()), random()[:8])
}

// validID reports whether an ID has the form that NewID gives it.
func validID(id string) bool {
	if len(id) != 25 || id[16] != '-' {
		return false
	}
	return strings.Trim(id[:16]+id[17:], "0123456789abcdef") == ""
}

// Name is a name in a file system: any bytes. JSON knows only text, so that
// others are written in base64.
type Name string

const base64Mark = "base64:"

// MarshalJSON writes the name.
func (n Name) MarshalJSON() ([]byte, error) {
	s := string(n)
	if !utf8.ValidString(s) || strings.HasPrefix(s, base64Mark) {
		s = base64Mark + base64.StdEncoding.EncodeToString([]byte(s))
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads the name.
func (n *Name) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if rest, ok := strings.CutPrefix(s, base64Mark); ok {
		raw, err := base64.StdEncoding.DecodeString(rest)
		if err != nil {
			return err
		}
		s = string(raw)
	}
	*n = Name(s)
	return nil
}

// Believable reports whether an edit could have written the record: the paths of
// others could lead anywhere.
func (r *Record) Believable() bool {
	ok := validID(r.ID) && len(r.Files) > 0
	for _, f := range r.Files {
		ok = ok && clean(f.Real) && clean(f.Path) && (f.Old != nil || f.New != nil)
	}
	for _, dir := range r.Folders {
		ok = ok && clean(dir)
	}
	for _, dir := range r.Emptied {
		ok = ok && clean(dir.Path)
	}
	return ok
}

func clean(n Name) bool { return n != "." && n != "" && validPath(string(n)) }

// validPath is fs.ValidPath for names of any bytes.
func validPath(p string) bool {
	for name := range strings.SplitSeq(p, "/") {
		if name == "" || name == "." || name == ".." || strings.ContainsRune(name, 0) {
			return false
		}
	}
	return true
}
