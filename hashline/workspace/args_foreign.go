package workspace

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/grammar"
	"github.com/hashline-go/hashline/hashline"
)

// intent is what an argument of another editor's tool is for.
type intent int

const (
	ofFile intent = 1 + iota
	ofReplacing
	ofInserting
	ofDeleting
	ofWhole
	ofEdits
)

// foreignArgs are the bare names of the arguments of other editors' tools.
var foreignArgs = sync.OnceValue(func() map[string]intent {
	return byBareName(map[intent]string{
		ofFile: "path filepath file filename targetfile absolutepath relativepath",
		ofReplacing: "oldstring newstring oldstr newstr oldtext newtext oldcode newcode oldcontent newcontent old new search replace replacement find " +
			"searchtext replacetext replaceall expectedreplacements startline endline codeedit instructions",
		ofInserting: "insertline inserttext insertafter insertbefore insert newlines",
		ofDeleting:  "delete deletelines",
		ofWhole:     "content contents filetext text body filecontent filecontents data",
		ofEdits:     "edits changes operations hunks replacements",
	})
})

// byBareName gives what each of some bare names stands for; names has those of one
// meaning with blanks between them.
func byBareName[M ~int](names map[M]string) map[string]M {
	meanings := map[string]M{}
	for meaning, list := range names {
		for name := range strings.FieldsSeq(list) {
			meanings[name] = meaning
		}
	}
	return meanings
}

// foreignEdit refuses a call of edit in which there is no document but the arguments
// of another editor's tool, with the form that does the same here. It is nil for any
// other call. Nothing is made of the values: which rows are meant only a read tells.
func (t Tool) foreignEdit(all map[string]json.RawMessage) *hashline.Diagnostic {
	if raw, given := all["input"]; t.Name != "edit" || given && string(raw) != "null" {
		return nil
	}
	var names []string
	has := map[intent]bool{}
	path := "path/to/file"
	spelling := t.spelling()
	for _, name := range unknownNames(all, map[string]bool{"input": true}) {
		what := foreignArgs()[bareName(name)]
		m, called := spelling.meant(name)
		if len(name) > maxMisspeltName || what == 0 && !called {
			continue
		}
		var text string
		isText := json.Unmarshal(all[name], &text) == nil
		if called && m.Name == "input" && isText && (what == 0 || isDocument(text)) {
			return nil // the document itself, under another name
		}
		if what == 0 {
			continue
		}
		if clean, err := hashline.CleanPath(text); what == ofFile && isText && err == nil && len(clean) <= 200 {
			path = clean
		}
		has[what] = true
		names = append(names, name)
	}
	// Text alone is taken for a document that is called by another name.
	if len(has) == 0 || len(has) == 1 && has[ofWhole] || len(has) == 1 && has[ofEdits] && isString(all, names[0]) {
		return nil
	}
	d := badArgument("the argument input is missing, and edit has no argument %s", strings.Join(names[:min(len(names), maxMisspelt)], ", "))
	read, _ := marshal(map[string]string{"path": path})
	document := "[" + path + "#TAG]\n"
	says := "3.=4 the first and last number of the rows to replace, and each new row has + before it; PUT >4: inserts after row 4, CUT 3.=4 deletes"
	switch {
	case has[ofInserting] && !has[ofReplacing]:
		document += "PUT >4:\n+a new row\n+another"
		says = "4 the number of the row to insert after, and each new row has + before it; PUT <4: inserts before it, PUT >$: at the end"
	case has[ofDeleting] && !has[ofReplacing]:
		document += "CUT 3.=4"
		says = "3.=4 the first and last number of the rows to delete"
	default:
		document += "PUT 3.=4:\n+a new row\n+another"
	}
	input, _ := marshal(map[string]string{"input": document})
	d.Hint = "call read_file with " + strings.TrimSpace(string(read)) + ", then edit with " + strings.TrimSpace(string(input)) +
		": TAG is in the header that read_file shows, " + says
	if has[ofWhole] && !has[ofReplacing] && !has[ofInserting] {
		d.Hint = "to write the whole file call write with path and content; to change rows " + d.Hint
	}
	return d
}

func isString(all map[string]json.RawMessage, name string) bool {
	return strings.HasPrefix(string(all[name]), `"`)
}

// isDocument reports whether a text is meant as a document: it begins with a header.
func isDocument(text string) bool {
	doc, _ := grammar.ParsePrefix(text)
	if len(doc.Sections) == 0 && strings.HasPrefix(strings.TrimSpace(text), "[") {
		named, _ := grammar.Named(text)
		return len(named) > 0
	}
	return len(doc.Sections) > 0
}
