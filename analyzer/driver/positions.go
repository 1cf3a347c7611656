package driver

import (
	"bytes"
	"go/token"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// onDisk maps an offset in the text of a file after earlier passes to the file
// on disk. An offset in new text maps to the place where that was put.
func onDisk(disk, now []byte, offset int) int {
	if bytes.Equal(disk, now) {
		return offset
	}
	return before(udiff.Lines(string(disk), string(now)), offset, func(e udiff.Edit, offset int) int {
		old := string(disk[e.Start:e.End])
		a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(e.New, "\n")
		if len(a) > len(b) {
			return alike(old, e.New, offset)
		}
		// Most likely each line has become one, and more, such as an import, come
		// before: what is alike in others is no guide.
		for _, line := range b[:len(b)-len(a)] {
			if offset < len(line) {
				return 0
			}
			offset -= len(line)
		}
		b = b[len(b)-len(a):]
		start := 0
		for i, line := range b {
			if offset < len(line) {
				return start + alike(a[i], line, offset)
			}
			start += len(a[i])
			offset -= len(line)
		}
		return start
	})
}

// alike maps an offset in new text to the old one, as what is alike tells.
func alike(old, text string, offset int) int {
	return before(udiff.Strings(old, text), offset, func(udiff.Edit, int) int { return 0 })
}

// before maps an offset behind edits to the text before them. In what an edit put
// there, inside says how far from its start.
func before(edits []udiff.Edit, offset int, inside func(e udiff.Edit, offset int) int) int {
	delta := 0 // of an offset behind the edits against one before them
	for _, e := range edits {
		start := e.Start + delta
		if offset < start {
			break
		}
		if offset < start+len(e.New) {
			return e.Start + inside(e, offset-start)
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
