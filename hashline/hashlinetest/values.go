package hashlinetest

import "path"

// Values knows what the placeholders of one step stand for.
type Values struct {
	Place
	// Old is the tree before the first call, Before and After those around
	// this call.
	Old, Before, After Tree
	// Tag gives the tag of a file's bytes, "" where it has none.
	Tag func(data string) string
	// Wrong gives a tag that is not this one: its bits inverted.
	Wrong func(tag string) string
}

// Value gives the text for a placeholder, as [Fill] asks for it. A tag of a file
// that does not exist or has none is "????".
func (v Values) Value(kind, p string) string {
	switch kind {
	case "ROOT":
		return v.Root
	case "OUTSIDE":
		return v.Outside
	case "OLD":
		return v.tag(v.Old, p)
	case "NEW":
		return v.tag(v.After, p)
	case "WRONG":
		if tag := v.tag(v.Before, p); tag != "????" {
			return v.Wrong(tag)
		}
	case "TAG":
		return v.tag(v.Before, p)
	}
	return "????"
}

func (v Values) tag(t Tree, p string) string {
	for range 10 {
		e, ok := t[path.Clean(p)]
		switch {
		case !ok:
			return "????"
		case e.Link != "":
			p = path.Join(path.Dir(p), e.Link)
			continue
		}
		if tag := v.Tag(e.Data); tag != "" {
			return tag
		}
	}
	return "????"
}
