package hashline

// Code names a kind of fault. It is itself an error, so that
// errors.Is(err, hashline.StaleTag) branches on it; the texts of messages are
// for people and may change.
type Code string

// Error gives the code's text.
func (c Code) Error() string { return string(c) }

// The codes that a refusal can carry (spec 6), in the order of the contract.
const (
	Syntax            Code = "syntax"
	DuplicatePath     Code = "duplicate_path"
	BadPath           Code = "bad_path"
	OutsideRoot       Code = "outside_root"
	Denied            Code = "denied"
	NotFound          Code = "not_found"
	NotRegular        Code = "not_regular"
	LinkLoop          Code = "link_loop"
	TooLarge          Code = "too_large"
	NotText           Code = "not_text"
	ReadOnly          Code = "read_only"
	HardLink          Code = "hard_link"
	MountPoint        Code = "mount_point"
	StaleTag          Code = "stale_tag"
	OutOfRange        Code = "out_of_range"
	Overlap           Code = "overlap"
	AnchorInside      Code = "anchor_inside"
	PastedRow         Code = "pasted_row"
	ClippedRow        Code = "clipped_row"
	BadBody           Code = "bad_body"
	MovedLine         Code = "moved_line"
	ChangedDuringEdit Code = "changed_during_edit"
	ChangedSinceRead  Code = "changed_since_read"
	BusyFile          Code = "busy_file"
	Attributes        Code = "attributes"
	Locked            Code = "locked"
	Exists            Code = "exists"
	PastedView        Code = "pasted_view"
	BadArgument       Code = "bad_argument"
	BadPattern        Code = "bad_pattern"
	AmbiguousMatch    Code = "ambiguous_match"
	NoMatch           Code = "no_match"
	NoChange          Code = "no_change"
	NotEmpty          Code = "not_empty"
	BadCell           Code = "bad_cell"
	UndoConflict      Code = "undo_conflict"
	RecoveryConflict  Code = "recovery_conflict"
	NoHistory         Code = "no_history"
	Timeout           Code = "timeout"
	Cancelled         Code = "cancelled"
	IO                Code = "io"
)

// The codes of single syntax faults (spec 5). A refusal as a whole has the code
// [Syntax], and a [Diagnostic] with one of these is [Syntax] to errors.Is.
const (
	// EmptyDocument: there is no section at all.
	EmptyDocument Code = "empty_document"
	// OutsideSection: an operation or a row before the first header.
	OutsideSection Code = "outside_section"
	// EmptySection: a header with no operation under it.
	EmptySection Code = "empty_section"
	// BadHeader: a line in brackets that is no header.
	BadHeader Code = "bad_header"
	// BadTag: a header whose tag is not 4 hex digits.
	BadTag Code = "bad_tag"
	// MissingBody: a PUT with no row under it.
	MissingBody Code = "missing_body"
	// MissingPlus: a row of a body that does not begin with "+".
	MissingPlus Code = "missing_plus"
	// BlankBeforeRow: a "+" row after a blank line.
	BlankBeforeRow Code = "blank_before_row"
	// RowWithoutPut: a "+" row that no PUT is waiting for, such as under CUT.
	RowWithoutPut Code = "row_without_put"
	// MinusRow: a "-" row, as in a diff.
	MinusRow Code = "minus_row"
	// ViewRow: a numbered row of a view, pasted as it was shown.
	ViewRow Code = "view_row"
	// CutColon: CUT with a colon.
	CutColon Code = "cut_colon"
	// MissingColon: PUT without its colon.
	MissingColon Code = "missing_colon"
	// BadSpan: a span that is not N, N.=M, N..M or N-M, or an operation that
	// names no place.
	BadSpan Code = "bad_span"
	// ZeroLine: line 0; lines count from 1.
	ZeroLine Code = "zero_line"
	// ReversedSpan: a span that ends before it begins.
	ReversedSpan Code = "reversed_span"
	// TrailingText: text after a complete operation.
	TrailingText Code = "trailing_text"
	// BlockTarget: N*, a form of another dialect.
	BlockTarget Code = "block_target"
	// Register: @name, a form of another dialect.
	Register Code = "register"
	// RemoveFile: REM, a form of another dialect.
	RemoveFile Code = "remove_file"
	// MoveFile: MV, a form of another dialect.
	MoveFile Code = "move_file"
	// Truncated: a wrapper that opens and does not close.
	Truncated Code = "truncated"
	// UnknownLine: anything else.
	UnknownLine Code = "unknown_line"
)

// The codes of warnings: the edit still applies (spec 7).
const (
	Echo        Code = "echo"
	LooksLikeOp Code = "looks_like_op"
	Placeholder Code = "placeholder"
	Sync        Code = "sync"
	// NumberedRow: a row begins with a line number, as a view or a search shows
	// it, though its text is another than the line's, which would be
	// [PastedRow]. Spec 7 names no such warning.
	NumberedRow Code = "numbered_row"
	// NoUndo: the old version could not be kept (spec 11).
	NoUndo Code = "no_undo"
	// LineEnds: written content has other line ends than the file had (spec 8).
	LineEnds Code = "line_ends"
	// Unseen: lines were edited that the session was never shown (spec 9).
	Unseen Code = "unseen"
	// Unread: a file was written over that the session was never shown (spec 9).
	Unread Code = "unread"
	// Rebased: a stale document was corrected and applied (spec 9).
	Rebased Code = "rebased"
)

type meaning struct {
	code Code
	text string
}

var refusals = [...]meaning{
	{Syntax, "the document does not follow the grammar; the diagnostics say where"},
	{DuplicatePath, "two sections name one file"},
	{BadPath, "the path cannot stand in a header"},
	{OutsideRoot, "the path leads out of the workspace root"},
	{Denied, "the policy or the system does not allow it"},
	{NotFound, "there is no such file; close names are given"},
	{NotRegular, "the path is a folder, device, FIFO or socket"},
	{LinkLoop, "symbolic links that lead in a circle"},
	{TooLarge, "over a limit on documents, sections, operations or files"},
	{NotText, "the file is not text in a known encoding; the first bad byte is named"},
	{ReadOnly, "the mode of the file or of the workspace allows no writing"},
	{HardLink, "the file has other names"},
	{MountPoint, "the file is a mount point and cannot be replaced"},
	{StaleTag, "the file is not the one the tag was made from"},
	{OutOfRange, "a line number that the file does not have"},
	{Overlap, "two operations replace or delete the same line"},
	{AnchorInside, "an insert is anchored inside a replaced or deleted span"},
	{PastedRow, "a body row is a numbered row of the view"},
	{ClippedRow, "a body row is the shortened form of a long line"},
	{BadBody, "a body row cannot be a line of a text file"},
	{MovedLine, "a fresh tag with the line numbers of an older view, or of lines never shown, where that is enforced"},
	{ChangedDuringEdit, "another writer changed the file while the edit ran"},
	{ChangedSinceRead, "the file changed since this session read it"},
	{BusyFile, "another process holds the file open for writing"},
	{Attributes, "mode, owner, attributes or label could not be kept"},
	{Locked, "another process of ours holds the file's lock"},
	{Exists, "the file exists and should not"},
	{PastedView, "the content is a view of the file, numbers and all"},
	{BadArgument, "an argument is missing, unknown, misspelt or out of bounds"},
	{BadPattern, "the pattern or glob does not compile"},
	{AmbiguousMatch, "the text to replace occurs more than once"},
	{NoMatch, "the text to replace does not occur"},
	{NoChange, "old and new text are equal"},
	{NotEmpty, "an empty old text is only for files that are new or empty"},
	{BadCell, "the notebook has no such cell"},
	{UndoConflict, "the file is no longer what the edit left"},
	{RecoveryConflict, "a file of an interrupted edit is neither its old nor its new version"},
	{NoHistory, "there is nothing to undo"},
	{Timeout, "it took too long"},
	{Cancelled, "the caller cancelled it"},
	{IO, "the system failed"},
}

var syntaxFaults = [...]meaning{
	{EmptyDocument, "the document has no section"},
	{OutsideSection, "an operation or a row before the first header"},
	{EmptySection, "a header without an operation"},
	{BadHeader, "a header that is not [path#TAG]"},
	{BadTag, "a tag that is not 4 hex digits"},
	{MissingBody, "PUT without a body"},
	{MissingPlus, "a body row without +"},
	{BlankBeforeRow, "a + row after a blank line"},
	{RowWithoutPut, "a + row that belongs to no PUT"},
	{MinusRow, "a - row, as in a diff"},
	{ViewRow, "a numbered row of a view"},
	{CutColon, "CUT with a colon"},
	{MissingColon, "PUT without a colon"},
	{BadSpan, "a span that is none of N, N.=M, N..M, N-M"},
	{ZeroLine, "line 0"},
	{ReversedSpan, "a span that ends before it begins"},
	{TrailingText, "text after a complete operation"},
	{BlockTarget, "N*, which this dialect does not have"},
	{Register, "@register, which this dialect does not have"},
	{RemoveFile, "REM, which this dialect does not have"},
	{MoveFile, "MV, which this dialect does not have"},
	{Truncated, "a wrapper that does not close: the document was cut off"},
	{UnknownLine, "a line that is nothing of the above"},
}

var warnings = [...]meaning{
	{Echo, "the first or the last row repeats the line above or below the span"},
	{LooksLikeOp, "a row is a whole operation or a header"},
	{Placeholder, "a row only says that code was left out"},
	{NumberedRow, "a row begins with a line number, as a view shows it"},
	{LineEnds, "written content has other line ends than the file had"},
	{Unseen, "lines were edited that the session was never shown"},
	{Unread, "a file was written over that the session was never shown"},
	{Rebased, "a stale document was corrected and applied"},
	{Sync, "a folder could not be synced; the change is there, but may not outlast a power failure"},
	{NoUndo, "the old version could not be kept"},
}

// Codes lists the codes of refusals in the order of the contract (spec 6). The
// slice is the caller's.
func Codes() []Code { return codes(refusals[:]) }

// SyntaxCodes lists the codes of single syntax faults (spec 5). The slice is
// the caller's.
func SyntaxCodes() []Code { return codes(syntaxFaults[:]) }

// WarningCodes lists the codes of warnings: the call was done (spec 7, 8, 9 and
// 11). The slice is the caller's.
func WarningCodes() []Code { return codes(warnings[:]) }

func codes(table []meaning) []Code {
	list := make([]Code, len(table))
	for i, m := range table {
		list[i] = m.code
	}
	return list
}

// Meaning says in a few words what a code stands for; it is "" for any that is in
// no list.
func (c Code) Meaning() string {
	for _, table := range [...][]meaning{refusals[:], syntaxFaults[:], warnings[:]} {
		for _, m := range table {
			if m.code == c {
				return m.text
			}
		}
	}
	return ""
}

// IsSyntax reports whether c is [Syntax] or the code of a single syntax fault.
func (c Code) IsSyntax() bool {
	if c == Syntax {
		return true
	}
	for _, m := range syntaxFaults {
		if m.code == c {
			return true
		}
	}
	return false
}
