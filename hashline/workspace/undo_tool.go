package workspace

import "context"

const describeUndo = `Take back the last edit that was made through these tools, in all the files that it changed.

Files become, byte for byte, what they were before the edit; a file that it created is removed. Nothing is written unless every file is still what the edit left: changes by others are never lost.
Give path for the last edit of that file (and of what was edited with it), and steps to take back several edits at once.
An undo is an edit too: undo right after an undo does again what was taken back. To go further back, give steps.
The answer shows the new header [path#TAG] and rows of each file: use those for the next edit.`

func undoTool() Tool {
	path := pathParam("Only edits of this file, relative to the workspace root. Default: the last edit of any file.")
	path.Required = false
	return Tool{
		Name: "undo", Description: describeUndo, head: undoRejected, MaxInput: fewArguments,
		Params: []Param{
			path,
			{Name: "steps", Type: "integer", Doc: "How many edits to take back, from 1 to 100,000. Default 1.", synonyms: []string{"count", "times", "n", "number", "edits"}},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			return s.Undo(ctx, UndoArgs{Path: a.str("path"), Steps: a.num("steps")})
		},
	}
}
