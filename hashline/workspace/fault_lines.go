package workspace

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// maxDoubled is how many sections of one file a refusal says the places of.
const maxDoubled = 20

// faultLines gives what a refusal says of its faults, a line each (spec 7). Of the
// many sections that a document may have for one file one line tells.
func faultLines(faults hashline.Diagnostics) []string {
	doubled := map[hashline.Position]hashline.Diagnostics{}
	for _, d := range faults {
		if d.Code == hashline.DuplicatePath && d.Related.IsValid() {
			doubled[d.Related] = append(doubled[d.Related], d)
		}
	}
	lines := make([]string, 0, len(faults))
	for _, d := range faults {
		switch group := doubled[d.Related]; {
		case d.Code != hashline.DuplicatePath || len(group) < 2:
			lines = append(lines, d.Error())
		case group[0] == d:
			lines = append(lines, manySections(group).Error())
		}
	}
	return lines
}

// manySections is one fault for all sections of a file but the first.
func manySections(group hashline.Diagnostics) *hashline.Diagnostic {
	all := *group[0]
	places := []string{fmt.Sprint(all.Related.Line)}
	for _, d := range group[:min(len(group), maxDoubled-1)] {
		place := fmt.Sprint(d.Pos.Line)
		if d.Path != all.Path {
			place += " as " + d.Path
		}
		places = append(places, place)
	}
	all.Msg = fmt.Sprintf("the document has %d sections for this file, at lines %s", len(group)+1, strings.Join(places, ", "))
	if more := len(group) + 1 - len(places); more > 0 {
		all.Msg += fmt.Sprintf(", … +%d more", more)
	}
	return &all
}
