package workspace_test

import (
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

// fieldOutcome is the prose of a case from the field as assertions.
type fieldOutcome struct {
	// codes are those of the answers in order, "" for a success. The code of a
	// syntax fault stands for a refusal as syntax whose first fault it is.
	codes []hashline.Code
	// check looks at what the codes and the files do not show; may be nil.
	check func(t *testing.T, r *fieldRun)
}

// answers makes an outcome of codes.
func answers(codes ...hashline.Code) fieldOutcome { return fieldOutcome{codes: codes} }

// and adds a check to an outcome.
func (o fieldOutcome) and(check func(t *testing.T, r *fieldRun)) fieldOutcome {
	o.check = check
	return o
}

const (
	ok = hashline.Code("")
	// either leaves it to the check whether the call succeeds.
	either = hashline.Code("either")
)

// fieldOutcomes holds what each case of the kinds in question expects beside
// the exact files.
var fieldOutcomes = map[string]fieldOutcome{
	"B002":  answers(ok, ok),
	"B004":  answers(ok, ok),
	"B004b": answers(ok, ok),
	"B005":  answers(ok).and(file("f.txt", "a\nB\nc\n")),
	"B007":  answers(ok, ok),
	"B007b": answers(ok, ok),
	"B007c": answers(ok, ok),
	"B009":  answers(ok),
	"B012":  answers(ok, ok, ok).and(all(answer(0, "\n3 | gamma NEEDLE\n"), answer(1, "\n3:gamma NEEDLE"))),
	"B014":  answers(ok, ok),
	"B015":  answers(ok, ok),
	"B017":  answers(ok, ok),
	"B017b": answers(ok, ok),
	"B017c": answers(ok, ok),
	"B019":  answers(hashline.NotText, hashline.NotText).and(all(answer(0, "13"), answer(1, "13"))),
	"B020":  answers(hashline.NotText),
	"B022":  answers(hashline.NotText),
	"B022b": answers(hashline.NotText),
	"B024":  answers(ok, ok, ok).and(all(answer(0, "[a.md#"), answer(1, "[b.md#"), answer(2, "[a.md#", "[b.md#"))),
	"B025":  answers(ok),
	"B027":  answers(ok, ok),
	"B032":  answers(hashline.NotFound, hashline.NotFound, ok).and(all(answer(0, "cafe\u0301.txt"), answer(1, "cafe\u0301.txt"))),
	"B034":  answers(ok, ok, hashline.StaleTag),
	"B035":  answers(ok, hashline.StaleTag),
	"B039":  answers(ok, hashline.StaleTag),
	"B040":  answers(ok, ok),
	"B040b": answers(ok, ok).and(file("f.txt", "A\r\nb\r\n")),
	"B040c": answers(ok, hashline.StaleTag),
	"B042":  answers(ok, ok),
	"B042b": answers(ok, ok),
	"B044":  answers(ok, ok, hashline.StaleTag),
	"B045":  answers(make([]hashline.Code, 301)...),
	"B047":  answers(ok, ok),
	"B047b": answers(ok, ok),
	"B047c": answers(ok, hashline.Overlap),
	"B047d": answers(ok, hashline.AnchorInside),
	"B047e": answers(ok, hashline.Overlap),
	"B057":  answers(ok, ok).and(warned(1, hashline.Echo)),
	"B059":  answers(hashline.ViewRow),
	"B060":  answers(hashline.Syntax).and(answer(0, "PUT 2:", "+B")),
	"B062":  answers(hashline.PastedRow),
	"B062b": answers(ok, hashline.PastedView),
	"B064":  answers(ok, ok),
	"B064b": answers(ok, ok),
	"B065":  answers(hashline.BadSpan),
	"B065b": answers(hashline.BadSpan),
	"B067":  answers(hashline.MissingBody),
	"B069":  answers(ok, ok).and(warned(1, hashline.LooksLikeOp)),
	"B070":  answers(hashline.OutOfRange),
	"B070b": answers(hashline.OutOfRange),
	"B070c": answers(hashline.ZeroLine),
	"B072":  answers(hashline.BadHeader),
	"B072b": answers(hashline.BadTag),
	"B074":  answers(ok, ok),
	"B074b": answers(ok, ok),
	"B075":  answers(ok, ok),
	"B077":  answers(ok),
	"B079":  answers(hashline.Syntax).and(answer(0, ">>>>>>> REPLACE")),
	"B080":  answers(hashline.MissingBody),
	"B080b": answers(hashline.BadSpan),
	"B104":  answers(hashline.OutsideRoot, hashline.OutsideRoot, hashline.OutsideRoot),
	"B105":  answers(hashline.OutsideRoot, ok, hashline.OutsideRoot).and(nowhere("TOPSECRET\n")),
	"B107":  answers(hashline.OutsideRoot, hashline.OutsideRoot, hashline.OutsideRoot),
	"B110":  answers(ok, ok),
	"B110b": answers(ok, ok),
	"B110c": answers(ok, ok),
	"B114":  answers(ok).and(all(answer(0, "[three.min.js#", "…", "[s.txt#", "1 | stats\n"), shorter(0, 4<<10))),
	"B115":  answers(ok, ok).and(all(answer(0, "HIT", "…"), answer(1, " chars]\n", "[cut rows: 1; "))),
	"B117":  answers(ok, hashline.BadPattern, hashline.BadPattern).and(answer(0, "[0 matches in 0 files]")),
	// The search of the whole tree need not name what it skips as hidden.
	"B119":  answers(ok, ok).and(answer(0, "1 | NEEDLE=1\n")),
	"B120":  answers(hashline.NotRegular, ok, hashline.NotRegular).and(answer(1, "[a.txt#", "1 | x\n")),
	"B120b": answers(hashline.NotRegular, hashline.NotRegular, hashline.NotRegular),

	"B122": answers(ok, ok, ok).and(all(answer(0, "[f.txt#", "\n1:a\n2:b"), answer(1, "[f.txt#", "\n1:A\n2:b"), answer(2, "[g.txt#", "\n1:q"))),

	"B049":  answers(ok, ok, ok).and(file("r.txt", "")),
	"B050":  answers(ok, either, either).and(oneOf("r.txt", map[int]string{1: "\n50\n>\nFIFTY\n", 2: "\n75\n>\nSEVENTYFIVE\n"})),
	"B052":  answers(ok, ok, ok).and(oneWritten("w.txt")),
	"B055":  answers(ok).and(undone("f.md", "one\ntwo\nthree\n")),
	"B092":  answers(ok, ok, ok).and(modeOf("run.sh", 0o755)),
	"B094":  answers(ok, ok).and(linked("link.md")),
	"B094b": answers(ok, ok).and(linked("link.md")),
	"B095":  answers(ok, ok).and(all(linked("dot"), linked("real/host/settings.json"))),
	"B095b": answers(hashline.LinkLoop, hashline.LinkLoop).and(all(linked("a"), linked("b"))),
	"B095c": answers(ok).and(all(linked("l.txt"), file("missing.txt", "x\n"))),
	"B097":  answers(ok, hashline.ReadOnly, hashline.ReadOnly, hashline.ReadOnly).and(modeOf("lock.txt", 0o444)),
	"B099":  answers(ok, ok, hashline.StaleTag, hashline.NoMatch).and(listing("d", "d/f.txt")),
	"B102":  answers(ok, ok, hashline.OutOfRange),
	"B102b": answers(ok, ok, hashline.StaleTag),
	"B102c": answers(ok, ok, hashline.ReadOnly),
	"B139":  answers(ok, ok, ok),
	"B140":  answers(ok, ok, ok),
	"B142":  answers(ok, hashline.UndoConflict),
	"B142b": answers(ok, ok).and(listing()),
}

// all joins checks.
func all(checks ...func(*testing.T, *fieldRun)) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		for _, check := range checks {
			check(t, r)
		}
	}
}

// answer checks that the text of answer i holds all of parts.
func answer(i int, parts ...string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		for _, part := range parts {
			if !strings.Contains(r.answers[i].Content, part) {
				t.Errorf("answer %d has no %q:\n%s", i+1, part, r.answers[i].Content)
			}
		}
	}
}

// nowhere checks that no answer holds a text.
func nowhere(text string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		for i, a := range r.answers {
			if strings.Contains(a.Content+"\n", text) {
				t.Errorf("answer %d has %q:\n%s", i+1, text, a.Content)
			}
		}
	}
}

// shorter checks that answer i has fewer than n bytes.
func shorter(i, n int) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		if got := len(r.answers[i].Content); got >= n {
			t.Errorf("answer %d has %d bytes", i+1, got)
		}
	}
}

// warned checks that answer i carries a warning.
func warned(i int, code hashline.Code) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		for _, w := range r.answers[i].Warnings {
			if w.Code == code && strings.Contains(r.answers[i].Content, "\nwarning: "+w.Path+": "+string(code)+": ") {
				return
			}
		}
		t.Errorf("answer %d does not warn of %s:\n%s", i+1, code, r.answers[i].Content)
	}
}

// file checks what a file holds at the end.
func file(path, want string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		if got := r.tree[path].Data; got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// modeOf checks the mode of a file at the end.
func modeOf(path string, want fs.FileMode) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		if got := r.tree[path].Mode.Perm(); got != want {
			t.Errorf("%s has the mode %v, want %v", path, got, want)
		}
	}
}

// linked checks that a path is a symbolic link at the end.
func linked(path string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		if got := r.tree[path].Mode.Type(); got != fs.ModeSymlink {
			t.Errorf("%s is no link but %v", path, got)
		}
	}
}

// listing checks all that is below the root at the end.
func listing(want ...string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		got := slices.Sorted(maps.Keys(hashlinetest.ReadTree(t, r.place.Root)))
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("below the root (-want +got):\n%s", diff)
		}
	}
}

// undone checks that an undo gives a file its first text.
func undone(path, want string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		r.ask(t, "undo", []byte(`{}`))
		file(path, want)(t, r)
	}
}

// oneWritten checks that a file holds exactly what one of the last two calls
// wrote, as its answer shows it.
func oneWritten(path string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		live := "[" + path + "#" + r.tag(path) + "]"
		n := 0
		for _, a := range r.answers[1:] {
			if strings.Contains(a.Content, live) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the tag %s is in %d answers", live, n)
		}
	}
}

// oneOf checks that one of two edits was made, and exactly that, and that the
// other was told so. changes gives for an answer what its edit replaces by what.
func oneOf(path string, changes map[int]string) func(*testing.T, *fieldRun) {
	return func(t *testing.T, r *fieldRun) {
		first := strings.Join(lines(1, 100), "\n") + "\n"
		made := 0
		for i, change := range changes {
			switch a := r.answers[i]; {
			case a.OK:
				made++
				old, new, _ := strings.Cut(change, ">")
				file(path, strings.Replace(first, old, new, 1))(t, r)
			case a.Code != hashline.StaleTag:
				t.Errorf("answer %d is not stale_tag but:\n%s", i+1, a.Content)
			}
		}
		if made != 1 {
			t.Errorf("%d of the edits were made", made)
		}
	}
}

// lines are the numbers from first to last.
func lines(first, last int) (all []string) {
	for n := first; n <= last; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}
