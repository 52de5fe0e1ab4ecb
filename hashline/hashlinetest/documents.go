package hashlinetest

import "testing"

// Documents gives the text of every document of the conformance cases and the
// vectors, good and bad ones, placeholders of tags left as they are in the
// cases, which then read as text.
func Documents(tb testing.TB) []string {
	tb.Helper()
	var all []string
	for _, c := range Cases(tb) {
		if c.Parse != nil {
			all = append(all, c.Parse.Doc)
		}
		for _, s := range c.Steps {
			if s.Doc != nil {
				all = append(all, *s.Doc)
			}
		}
	}
	for _, v := range Vectors(tb, "parse", "apply", "multi") {
		all = append(all, FillTags(string(v.Doc), 0xA1B2))
	}
	return all
}
