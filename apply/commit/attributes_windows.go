package commit

import (
	"io/fs"
	"os"
)

// Streams and the security descriptor are those of a new file: README says so.

const accessList = ""

func ruleOf(string) rule { return keep }

func readExtra(*os.File) (map[string]string, error) { return nil, nil }

func writeExtra(*os.File, string, string) error { return nil }

func removeExtra(*os.File, string) error { return nil }

func readFlags(*os.File, fs.FileInfo) uint32 { return 0 }

func sealed(uint32) string { return "" }

func (a *attributes) giveFlags(*os.File, uint32) {}
