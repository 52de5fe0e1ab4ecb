package commit

import (
	"context"
	"time"

	"github.com/hashline-go/hashline/apply/commit/history"
)

// recordRoom is about how many bytes journal and record take, and the like.
const recordRoom = 64 << 10

// makeRoom takes so many bytes out of the history, unless others use it or it has
// not so many that no journal needs. It reports whether it did.
func (s *Store) makeRoom(bytes int64) (made bool) {
	p, err := s.past(context.Background(), 0, false)
	if err != nil || p == nil {
		return false
	}
	defer p.close()
	s.alone(p, func() { made = p.history.MakeRoom(bytes, s.needed(p, time.Now())) })
	return made
}

// stateNeed is about how many bytes a commit needs in the state folder, at most.
func (t *transaction) stateNeed() int64 {
	all := int64(recordRoom)
	for _, f := range t.files {
		if !f.Create {
			all += int64(f.oldVersion().size)
		}
		if f.inPlace {
			all += int64(len(f.New))
		}
	}
	return all
}

// append writes the record of the commit, if need be in the place of old versions.
func (c *chronicle) append(r history.Record) error {
	err := c.history.Append(r, c.sync)
	if !diskFull(err) {
		return err
	}
	made := false
	c.store.alone(c.past, func() {
		needed := c.store.needed(c.past, time.Now())
		c.journal.needs(needed)
		made = c.history.MakeRoom(recordRoom, needed)
	})
	if c.share(context.Background(), c.store.wait()) == nil && made {
		err = c.history.Append(r, c.sync)
	}
	return err
}
