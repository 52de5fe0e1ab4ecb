package workspace

import (
	"path"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace/glob"
)

// policy says which paths the tools may read and write (spec 12). Paths are
// relative to the root and clean.
type policy struct {
	deny, allow []*glob.Glob
	readOnly    bool
	// git opens .git for writing.
	git bool
	// shortNames: the system knows files by names like SECRET~1.KEY too, which
	// globs cannot see through.
	shortNames bool
	// only is what may be reached at all; nil is everything.
	only *Narrow
}

// Dirs are the names of the root, by which globs that are absolute paths may name
// what lies in it.
func newPolicy(cfg Config, dirs ...string) (*policy, error) {
	p := &policy{readOnly: cfg.ReadOnly, git: cfg.AllowGit, shortNames: runtime.GOOS == "windows"}
	exact := glob.Compile
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		exact = glob.CompileFold
	}
	var err error
	// A single folder may ignore case on any system, so that nothing is denied
	// with regard to it.
	if p.deny, err = compileGlobs(cfg.Deny, dirs, glob.CompileFold); err == nil {
		p.allow, err = compileGlobs(cfg.Allow, dirs, exact)
	}
	return p, err
}

func compileGlobs(texts, dirs []string, compile func(string) (*glob.Glob, error)) ([]*glob.Glob, error) {
	var globs []*glob.Glob
	for _, text := range texts {
		if strings.HasPrefix(text, "!") {
			return nil, &hashline.Diagnostic{
				Code: hashline.BadPattern, Msg: "glob " + cut(text, 80) + ": a policy has no !",
				Hint: "deny some paths, and allow what is excepted; or only allow, and all else is denied",
			}
		}
		text, err := cleanGlob(text, dirs)
		if err != nil {
			return nil, err
		}
		g, err := compile(text)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return globs, nil
}

// empty reports whether no path is denied.
func (p *policy) empty() bool { return len(p.deny) == 0 && len(p.allow) == 0 && p.only == nil }

// denies reports whether a path is denied, for reading and writing.
func (p *policy) denies(name string) bool { return p.judge(name, p.denied) }

// hides reports whether a folder is denied and all that can lie in it.
func (p *policy) hides(folder string) bool { return p.denies(folder) && !p.exceptsBelow(folder) }

// judge decides about a path; denied says whether it, or a folder above it, matches
// what is denied, exceptions aside.
func (p *policy) judge(name string, denied func(string) bool) bool {
	switch {
	case p.only.beyond(name):
		return true
	case len(p.deny) == 0 && len(p.allow) == 0 || name == ".":
		return false
	case p.shortNames && shortName().MatchString(name):
		return true
	}
	return denied(name) && !matchesAny(p.allow, name)
}

// denied reports whether a path or a folder above it matches what is denied. That
// is everything where only exceptions are given.
func (p *policy) denied(name string) bool {
	if len(p.deny) == 0 {
		return true
	}
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if matchesAny(p.deny, name) {
			return true
		}
	}
	return false
}

// exceptsBelow reports whether a folder that is denied may hold what is not.
func (p *policy) exceptsBelow(folder string) bool {
	if p.only.beyond(folder) {
		return p.only.above(folder)
	}
	for _, g := range p.allow {
		if g.MayMatchBelow(folder) {
			return true
		}
	}
	return false
}

// searcher gives a function that says whether a file, or a folder and what lies
// in it, may be searched. It is quick for many paths of one folder, and for one
// goroutine.
func (p *policy) searcher() func(name string, isDir bool) bool {
	last, above := "", false
	denied := func(name string) bool {
		if dir := path.Dir(name); dir != last {
			last, above = dir, p.denied(dir)
		}
		return above || len(p.deny) == 0 || matchesAny(p.deny, name)
	}
	return func(name string, isDir bool) bool {
		return !p.judge(name, denied) || isDir && p.exceptsBelow(name)
	}
}

// writes reports whether a path may be written to as far as .git goes.
func (p *policy) writes(name string) bool {
	if p.git {
		return true
	}
	for name := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(name, ".git") || p.shortNames && strings.EqualFold(name, "git~1") {
			return false
		}
	}
	return true
}

func matchesAny(globs []*glob.Glob, name string) bool {
	for _, g := range globs {
		if g.Match(name) {
			return true
		}
	}
	return false
}

// shortName is what an old name of a file looks like that Windows makes up.
var shortName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`~[0-9]`) })

func deniedPath(name string) error {
	return fault(hashline.Denied, name, "the policy of this workspace allows neither reading nor writing here", "do without this file")
}

func readOnly() error {
	return &hashline.Diagnostic{
		Code: hashline.ReadOnly, Msg: "the workspace is read-only", Hint: "only reading and searching is possible here",
	}
}
