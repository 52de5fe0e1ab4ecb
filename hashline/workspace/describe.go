package workspace

// The descriptions stand alone, since some clients never show a server's
// instructions, and stay under 4,000 characters (spec 14).

const describeRead = `Read a text file as numbered rows under a header.

The answer begins with [path#TAG]; each row after it is N:text. TAG is a fingerprint of the file. Copy the header and use the row numbers N in an edit; neither N: nor the header is part of the file.
When the file is not shown whole, the last line says which rows were shown and where to go on, such as [rows 1-200 of 900; next offset 201].
Use offset and limit for one run of rows, or ranges (10-20,80-95) for several. A row longer than 2,000 characters is shown shortened, ending in …[+K chars], and is named at the end.`

const describeEdit = `Edit text files by line number. All operations in all files of the document apply, or none does.

A document is one section a file: the header [path#TAG] exactly as the last read, search or edit showed it, then operations.

[src/a.go#1A2B]
PUT 3.=5:
+new text of the line
+	second row, with its own indentation
PUT <1:
+inserted before line 1
PUT >12:
+inserted after line 12
PUT >$:
+appended at the end of the file
CUT 20.=22

PUT N: or PUT N.=M: replaces the lines N to M, both included, by the rows under it. CUT N or CUT N.=M (no colon) deletes them. Each row begins with +; the rest of it is the text, exactly, with its indentation. A lone + is a blank line. There is no - row: the span says what goes.

Rules:
- All numbers are those of the file as it was shown under TAG. Do not count earlier operations of the same document.
- Put all changes of one file into one document, under one header. Do not send two edits of one file at the same time.
- Spans must not overlap, and no row may be inserted inside a span.
- Do not repeat unchanged lines around the span; they stay.

The answer shows the new header with its new TAG and the rows around each change: use that header and those numbers for the next edit. Read the file again only for rows that were not shown.
A refused document changed nothing. The answer says what is wrong and shows the live rows and the live header to retry from.`

const describeWrite = `Create a file, or rewrite a whole file. Folders it needs are made.

The content is the file's text exactly, without row numbers and without a [path#TAG] header. To change parts of a file use edit instead.
Give expect to be safe: the file's tag, or absent if it must not exist; anything else on disk is refused and nothing is written.
The answer shows the new header [path#TAG] and the first and last rows.`

const describeGrep = `Search text files for a regular expression (Go syntax), line by line.

The answer lists, for each file, its header [path#TAG], matching rows as N | text and context rows as N - text. The numbers and the header can be used in an edit; long rows are shown in part, so read a row before replacing it.
What git ignores, hidden files, binaries, links and files over 5 MiB are skipped; a file named in path is searched even if it is hidden or ignored. The last line says how many matches there are and what was skipped.`

// Instructions says in a few sentences what the tools are for.
func Instructions() string {
	return "Edit files by line number under a tag that read_file, grep and edit show."
}
