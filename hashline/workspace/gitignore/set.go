package gitignore

import "strings"

// A set holds the bytes that a bracket expression matches.
type set [4]uint64

func (s *set) has(c byte) bool { return s[c/64]&(1<<(c%64)) != 0 }
func (s *set) add(c byte)      { s[c/64] |= 1 << (c % 64) }

// parseSet reads the bracket expression that s begins with and gives its length,
// 0 when it is malformed. With fold the texts compared are in lower case.
func parseSet(s string, fold bool) (*set, int) {
	members := new(set)
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	// low is the byte before, which a "-" makes the start of a range; -1 where
	// it cannot be one.
	low := -1
	for first := true; first || i < len(s) && s[i] != ']'; first = false {
		if i >= len(s) {
			return nil, 0
		}
		if strings.HasPrefix(s[i:], "[:") {
			class, size, ok := parseClass(s[i:])
			switch {
			case !ok:
				return nil, 0
			case size > 0:
				addClass(members, class, fold)
				low = -1
				i += size
				continue
			}
		}
		if s[i] == '-' && low >= 0 && i+1 < len(s) && s[i+1] != ']' {
			high, size := setByte(s[i+1:])
			if size == 0 {
				return nil, 0
			}
			addRange(members, low, int(high), fold)
			low = -1
			i += 1 + size
			continue
		}
		c, size := setByte(s[i:])
		if size == 0 {
			return nil, 0
		}
		members.add(c)
		low = int(c)
		i += size
	}
	if i >= len(s) {
		return nil, 0
	}
	if negated {
		for k := range members {
			members[k] = ^members[k]
		}
	}
	members['/'/64] &^= 1 << ('/' % 64)
	return members, i + 1
}

// setByte reads a byte or an escaped byte.
func setByte(s string) (c byte, size int) {
	if s[0] != '\\' {
		return s[0], 1
	}
	if len(s) < 2 {
		return 0, 0
	}
	return s[1], 2
}

// addRange adds low..high. Texts in lower case are also in a range that holds
// their upper case.
func addRange(members *set, low, high int, fold bool) {
	for c := low; c <= high; c++ {
		members.add(byte(c))
		if fold {
			members.add(lower(byte(c)))
		}
	}
}

// parseClass reads "[:name:]". The size is 0 where s only looks like one, and ok
// is false for a class that does not exist or does not end.
func parseClass(s string) (class func(byte) bool, size int, ok bool) {
	end := strings.IndexByte(s[2:], ']')
	if end < 0 {
		return nil, 0, false
	}
	name, found := strings.CutSuffix(s[2:2+end], ":")
	if !found {
		return nil, 0, true
	}
	class = classOf(name)
	return class, end + 3, class != nil
}

func addClass(members *set, class func(byte) bool, fold bool) {
	for c := range 128 {
		if class(byte(c)) {
			members.add(byte(c))
			if fold {
				members.add(lower(byte(c)))
			}
		}
	}
}

func classOf(name string) func(byte) bool {
	switch name {
	case "alnum":
		return func(c byte) bool { return isAlpha(c) || isDigit(c) }
	case "alpha":
		return isAlpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < 0x20 || c == 0x7F }
	case "digit":
		return isDigit
	case "graph":
		return isGraph
	case "lower":
		return func(c byte) bool { return 'a' <= c && c <= 'z' }
	case "print":
		return func(c byte) bool { return c == ' ' || isGraph(c) }
	case "punct":
		return func(c byte) bool { return isGraph(c) && !isAlpha(c) && !isDigit(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	case "upper":
		return func(c byte) bool { return 'A' <= c && c <= 'Z' }
	case "xdigit":
		return func(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' }
	}
	return nil
}

func isAlpha(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isGraph(c byte) bool { return 0x20 < c && c < 0x7F }
