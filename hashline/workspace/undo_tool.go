package workspace

import "context"

func undoTool() Tool {
	path := pathParam("Only edits of this file, relative to the workspace root. Default: the last edit of any file.")
	path.Required = false
	return Tool{
		Name: "undo", Description: describe("undo"), head: undoRejected, MaxInput: fewArguments,
		example: `{"path": "src/main.go"}`,
		Params: []Param{
			path,
			{Name: "steps", Type: "integer", Doc: "How many edits to take back, from 1 to 100,000. Default 1.", synonyms: []string{"count", "times", "n", "number", "edits", "id", "edit_id", "record"}},
		},
		call: func(ctx context.Context, s *Session, a args) (*Result, error) {
			return s.Undo(ctx, UndoArgs{Path: a.str("path"), Steps: a.num("steps")})
		},
	}
}
