package history

import "io/fs"

// MaxExtra is how long the extended attributes of one file may be that a record
// holds, names and values in bytes.
const MaxExtra = 64 << 10

// Attributes is what a file or a folder has beside its name and bytes. A record
// holds them for what the edit removed, so that it can be made again as it was.
type Attributes struct {
	// Mode holds permissions, setuid, setgid and sticky bits.
	Mode fs.FileMode `json:"mode"`
	UID  int         `json:"uid"`
	GID  int         `json:"gid"`
	// Flags are those of the inode.
	Flags uint32 `json:"flags,omitempty"`
	// Extra lists the extended attributes, access lists among them.
	Extra []Extra `json:"extra,omitempty"`
}

// Extra is an extended attribute.
type Extra struct {
	Name  Name   `json:"name"`
	Value []byte `json:"value"`
}

// Folder is a folder that an edit removed with the last file in it.
type Folder struct {
	Path Name `json:"path"`
	Attributes
}
