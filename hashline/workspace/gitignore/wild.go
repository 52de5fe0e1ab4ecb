package gitignore

// A program is a compiled wildcard pattern. It works on bytes, as git does: "?"
// matches one byte of a multi-byte character.
type program struct {
	steps []step
	// deep: some step can cross a slash.
	deep bool
	fold bool
}

type step struct {
	op   op
	char byte
	set  *set
}

type op uint8

const (
	// one matches the byte char.
	one op = iota
	// anyByte matches a byte that is no slash.
	anyByte
	// member matches a byte of set.
	member
	// star matches any bytes but slashes.
	star
	// deep matches any bytes.
	deep
	// folders matches nothing, or any bytes and then a slash.
	folders
)

// compile reads a pattern. It reports false for one that can match nothing,
// such as one with a bracket that does not close.
func compile(s string, fold bool) (program, bool) {
	prog := program{fold: fold}
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '?':
			prog.steps = append(prog.steps, step{op: anyByte})
			i++
		case '*':
			end := i
			for end < len(s) && s[end] == '*' {
				end++
			}
			prog.stars(s, i, end)
			if prog.steps[len(prog.steps)-1].op == folders {
				end++
			}
			i = end
		case '[':
			members, size := parseSet(s[i:], fold)
			if size == 0 {
				return prog, false
			}
			prog.steps = append(prog.steps, step{op: member, set: members})
			i += size
		case '\\':
			if i+1 == len(s) {
				return prog, false
			}
			prog.steps = append(prog.steps, step{op: one, char: s[i+1]})
			i += 2
		default:
			if fold {
				c = lower(c)
			}
			prog.steps = append(prog.steps, step{op: one, char: c})
			i++
		}
	}
	return prog, true
}

// stars adds the step for the run of stars s[from:to]. Two or more cross
// slashes where they stand alone between slashes or ends.
func (p *program) stars(s string, from, to int) {
	o := star
	alone := to-from > 1 && (from == 0 || s[from-1] == '/')
	switch rest := s[to:]; {
	case !alone:
	case rest == "" || len(rest) > 1 && rest[:2] == `\/`:
		o = deep
	case rest[0] == '/':
		o = folders
	}
	p.deep = p.deep || o != star
	p.steps = append(p.steps, step{op: o})
}

// takes reports whether the step matches the byte c as one byte.
func (s *step) takes(c byte) bool {
	switch s.op {
	case one:
		return s.char == c
	case anyByte:
		return c != '/'
	case member:
		return s.set.has(c)
	}
	return false
}

func (p *program) match(text string) bool {
	if p.deep {
		return p.matchDeep(text)
	}
	return p.matchFlat(text)
}

// at gives byte i of a text as the steps compare it.
func (p *program) at(text string, i int) byte {
	if p.fold {
		return lower(text[i])
	}
	return text[i]
}

// matchFlat matches a program whose stars stop at slashes. Then only the last
// star passed has to be tried again, since slashes fix what belongs to the
// earlier ones; the time is that of a product of the lengths at worst.
func (p *program) matchFlat(text string) bool {
	i, j := 0, 0
	again, from := -1, 0
	for i < len(text) {
		switch {
		case j < len(p.steps) && p.steps[j].op == star:
			again, from = j, i
			j++
		case j < len(p.steps) && p.steps[j].takes(p.at(text, i)):
			i++
			j++
		case again >= 0 && text[from] != '/':
			from++
			i, j = from, again+1
		default:
			return false
		}
	}
	for j < len(p.steps) && p.steps[j].op == star {
		j++
	}
	return j == len(p.steps)
}

// matchDeep follows all ways to match at once, so that the time is bounded by
// the product of the lengths.
func (p *program) matchDeep(text string) bool {
	n := len(p.steps)
	var small [2][64]bool
	now, next := small[0][:], small[1][:]
	if n >= len(now) {
		now, next = make([]bool, n+1), make([]bool, n+1)
	}
	p.reach(now, 0)
	for i := range len(text) {
		c, alive := p.at(text, i), false
		clear(next[:n+1])
		for j := range n {
			if !now[j] {
				continue
			}
			alive = true
			switch s := &p.steps[j]; s.op {
			case star:
				if c != '/' {
					p.reach(next, j)
				}
			case deep:
				p.reach(next, j)
			case folders:
				next[j] = true
				if c == '/' {
					p.reach(next, j+1)
				}
			default:
				if s.takes(c) {
					p.reach(next, j+1)
				}
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[n]
}

// reach marks step j and those that can be reached from it without a byte.
//
// A step "folders" that is under way must not be left without a slash, which
// is why matchDeep marks it by hand to stay in it.
func (p *program) reach(set []bool, j int) {
	for {
		set[j] = true
		if j == len(p.steps) || p.steps[j].op < star {
			return
		}
		j++
	}
}
