package workspace

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// maxVoid is how many stretches of numbers one answer calls void. With more, the
// last takes all others in.
const maxVoid = 8

// voidLine says that numbers that an agent counts from, ascending and apart, mean
// nothing any more, since nobody knows where their rows are. Silence about them
// would say that they stay (spec 9).
//
//	[the numbers of old lines 1-4, 10-40 are void; read_file shows where they are now]
//	[the number of old line 3 is void; read_file shows where it is now]
func voidLine(spans []hashline.Span) string {
	if len(spans) == 1 && spans[0].Len() == 1 {
		return fmt.Sprintf("[the number of old line %d is void; read_file shows where it is now]", spans[0].First)
	}
	but := ""
	if n := len(spans); n > maxVoid {
		spans = append(spans[:maxVoid-1:maxVoid-1], hashline.Span{First: spans[maxVoid-1].First, Last: spans[n-1].Last})
		but = ", but where a line below has them"
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		if parts[i] = fmt.Sprint(s.First); s.Len() > 1 {
			parts[i] = fmt.Sprintf("%d-%d", s.First, s.Last)
		}
	}
	return fmt.Sprintf("[the numbers of old lines %s are void%s; read_file shows where they are now]", strings.Join(parts, ", "), but)
}
