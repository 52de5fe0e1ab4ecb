package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

// Others change a text that the session does not hold. Nobody knows then where
// the rows are that were shown, and the next answer about the file says so.
func TestVoidNumbers(t *testing.T) {
	defer Stream(13)()
	if !Streams() {
		t.Skip("all files are held on this system")
	}
	d := atDesk(t, SessionConfig{})
	d.read()
	was := d.tag()
	d.put("zero\n" + tenLines)
	require.Contains(t, d.says("edit", "[f#%s]\nCUT 5\n", was), "f: stale_tag: ") // shows 3 to 7
	want(t, d.says("edit", "[f#%s]\nPUT >5:\n+new\n", d.tag()), `PUT >5: (+1 line(s))
[f#`+d.tag()+`]
3:two
4:three
5:four
6:new
7:five
8:six
9:seven

[rows 3-9 of 12, around the change; read_file shows the others]

[the numbers of old lines 1-2, 8-10 are void; read_file shows where they are now]
[old line 6 is now 7, and so on to old line 7]`)
	// It is said again where no line is moved: an agent has no other word of it.
	want(t, d.says("edit", "[f#%s]\nPUT 3:\n+TWO\n", d.tag()), `PUT 3: (1 → 1 line(s))
[f#`+d.tag()+`]
1:zero
2:one
3:TWO
4:three
5:four
6:new

[rows 1-6 of 12, around the change; read_file shows the others]

[the numbers of old lines 1-2, 8-10 are void; read_file shows where they are now]`)
	// What is shown again counts again.
	d.says("read_file", `{"path": "f", "ranges": "1-8,10-12"}`)
	require.Contains(t, d.says("edit", "[f#%s]\nPUT 1:\n+ZERO\n", d.tag()),
		"\n\n[the number of old line 9 is void; read_file shows where it is now]")
	d.read()
	require.NotContains(t, d.says("edit", "[f#%s]\nCUT 1\n", d.tag()), "void")
}

func TestVoidLine(t *testing.T) {
	var spans []hashline.Span
	for i := range 9 {
		spans = append(spans, hashline.Span{First: 10*i + 1, Last: 10*i + 1 + i%2})
	}
	want(t, voidLine(spans[:1]), "[the number of old line 1 is void; read_file shows where it is now]")
	want(t, voidLine(spans[1:2]), "[the numbers of old lines 11-12 are void; read_file shows where they are now]")
	want(t, voidLine(spans[:8]), "[the numbers of old lines 1, 11-12, 21, 31-32, 41, 51-52, 61, 71-72 are void; read_file shows where they are now]")
	want(t, voidLine(spans), "[the numbers of old lines 1, 11-12, 21, 31-32, 41, 51-52, 61, 71-81 are void, but where a line below has them; read_file shows where they are now]")
}
