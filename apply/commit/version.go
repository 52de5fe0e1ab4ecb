package commit

import (
	"crypto/sha256"
	"io"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// version is what a file holds, before or after the change: its bytes, or what
// tells them apart.
type version struct {
	data   []byte
	base   *Base
	digest *history.Digest
	size   int
}

func bytesOf(data []byte) version { return version{data: data, size: len(data)} }

func (f *file) oldVersion() version {
	if f.was != nil {
		return *f.was
	}
	if f.Base != nil {
		return version{base: f.Base, size: f.Base.Size}
	}
	return bytesOf(f.Old)
}

func (f *file) newVersion() version {
	if f.is != nil {
		return *f.is
	}
	if f.Base != nil {
		return version{digest: &f.newSum, size: f.newSize}
	}
	return bytesOf(f.New)
}

func (f *file) oldDigest() history.Digest {
	if f.Base != nil {
		return f.Base.Sum.Digest()
	}
	return history.Sum(f.Old)
}

// compareBase reports whether the rest of a file is what base says.
func compareBase(h io.Reader, base *Base) (bool, error) {
	buf := make([]byte, base.chunk())
	for at := 0; ; {
		n, err := io.ReadFull(h, buf)
		if n > 0 && (at+n > base.Size || !base.Holds(at, buf[:n])) {
			return false, nil
		}
		at += n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return at == base.Size, nil
		case err != nil:
			return false, err
		}
	}
}

// chunk is how many bytes are read at once: whole pages.
func (b *Base) chunk() int { return max(1, streamBuffer/b.Page) * b.Page }

// compareDigest reports whether the rest of a file has a digest.
func compareDigest(h io.Reader, want version) (bool, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(h, int64(want.size)+1))
	return err == nil && n == int64(want.size) && history.Digest(sum.Sum(nil)) == *want.digest, err
}
