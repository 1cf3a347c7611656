package driver

import (
	"bytes"
	"go/token"

	"github.com/aymanbagabas/go-udiff"
)

// onDisk maps an offset in the text of a file after earlier passes to the file
// on disk. An offset in changed lines maps to the start of what they replaced.
func onDisk(disk, now []byte, offset int) int {
	if bytes.Equal(disk, now) {
		return offset
	}
	delta := 0 // of an offset in now against one in disk
	for _, e := range udiff.Lines(string(disk), string(now)) {
		start := e.Start + delta
		if offset < start {
			break
		}
		if offset < start+len(e.New) {
			return e.Start
		}
		delta += len(e.New) - (e.End - e.Start)
	}
	return offset - delta
}

// positionAt returns the position of an offset in src.
func positionAt(file string, src []byte, offset int) token.Position {
	offset = min(max(offset, 0), len(src))
	return token.Position{
		Filename: file,
		Offset:   offset,
		Line:     1 + bytes.Count(src[:offset], []byte("\n")),
		Column:   offset - bytes.LastIndexByte(src[:offset], '\n'),
	}
}
