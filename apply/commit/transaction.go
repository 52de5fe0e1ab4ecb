package commit

import (
	"io/fs"
	"os"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
	"github.com/hashline-go/hashline/hashline"
)

// transaction is one commit under way.
type transaction struct {
	root    *os.Root
	sync    bool
	step    func(string)
	folders map[string]*folder
	// made tells what folders are to be like that are made.
	made map[string]*attributes
	// order holds the folders as they were opened, parents first.
	order []*folder
	files []*file
	buf   []byte
	// chronicle is nil until something is to be written.
	chronicle *chronicle
	// past is the history and id that of the commit's record: a recovery has these
	// and no chronicle.
	past    *past
	id      string
	noLease bool
	// waited is how long we waited for others to close their files.
	waited time.Duration
	// spared names the versions of other writers that were kept beside.
	spared []string
}

// file is one change under way.
type file struct {
	Change
	folder *folder
	name   string
	// before is the target as it was found, target the opened file, and kept
	// what is kept of it. Nil for Create.
	before fs.FileInfo
	target *os.File
	kept   *attributes
	// leased says that the kernel tells of those who open target for writing.
	leased bool
	// seen is the target at the time its bytes were last compared.
	seen fs.FileInfo
	// stageName and backName are the names of the temporary files of the new
	// version and of an old one that is put back.
	stageName, backName string
	// temp is the one of the two that is there, "" when there is none.
	temp string
	// shared says that the file under temp had the target's name, and another
	// program may have it open for writing.
	shared bool
	// keep says that the replaced file is to go into the history, under the
	// digest old.
	keep bool
	old  history.Digest
	// compared says that the target was compared while it was leased. newSum and
	// newSize are those of new bytes that are not held.
	compared bool
	newSum   history.Digest
	newSize  int
	// inPlace says that the target is overwritten.
	inPlace bool
	// swapped says that the new version has the target's name, and the replaced
	// file that of temp.
	swapped bool
	// left says why the file could not be left as it was found.
	left *hashline.Diagnostic
	// was and is stand for the old and the new version in a recovery, which has
	// their digests alone.
	was, is *version
	// wrote identifies the new version, first as temp, then under its name.
	wrote   fs.FileInfo
	written bool
	// torn says why the target is neither old nor new; nil where it is.
	torn *hashline.Diagnostic
	// unfinished says that the next start is to put the target back.
	unfinished bool
}

func newTransaction(root *os.Root, sync bool, step func(string)) *transaction {
	if step == nil {
		step = func(string) {}
	}
	return &transaction{root: root, sync: sync, step: step, folders: map[string]*folder{}}
}
