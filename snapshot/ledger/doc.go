// Package ledger remembers what one agent has in front of it: which rows of
// which text of a file it was shown, and how lines have moved since (spec 9).
// From that it judges edits: whether a tag is stale and why, whether a fresh tag
// stands over line numbers of an older view, where anchored lines are now, and
// whether a stale document can be corrected without a guess.
//
// The package is pure: it never touches the disk and has no clock. Callers hand
// it every live text they see, as a [Version], and the time.
//
// # What is remembered
//
// For each file there is one head, the text that was last seen live, and for
// each line of it whether an agent was shown it, as what number, and whether any
// change since then altered how many lines stand before it. What the session
// itself changes is told with [Ledger.Edited] and its like; any other head that
// a call brings is an outside change, and is compared with the old head line by
// line. Rows are kept as spans, so that a view of any length costs the same.
//
// Lines are compared by a hash without the blanks at their ends, as tags are.
//
// # What is bounded
//
// Texts and line hashes lie on a [Shelf], which drops those that were not used
// for longest. Where the old head's hashes are gone when an outside change is
// seen, every row that was shown counts as moved, and its number as void. A
// ledger holds at most 2,048 files and 200,000 runs of rows, without the files
// that were not used for longest; 128 texts a file; 4,096 offers a file, or those
// of the last answer; and the last 256 documents that were applied, with 4,096
// sections in all.
package ledger
