// Package edit turns planned edits into the text of a file, changing nothing
// that the plan does not change.
package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

var (
	bom  = []byte("\xef\xbb\xbf")
	crlf = []byte("\r\n")
	lf   = []byte("\n")
)

// Apply returns src with the edits made, the imports added and those import
// specs removed of which uses counts every reference. Edits must not overlap;
// their offsets are into src. New text has "\n" for a line end, whatever the
// file has.
//
// A byte order mark, CRLF line ends and a missing newline at the end stay as
// they are. A file that gofmt would not change, these three aside, is such a
// file afterwards; any other is changed where the edits are and in its import
// declarations, and formatted nowhere.
//
// The file must parse, before and after. file is its name, for errors.
func Apply(file string, src []byte, edits []plan.Edit, imports []plan.Import, uses []plan.Use) ([]byte, error) {
	shape, text := shapeOf(src)
	clean := shape.clean(text)

	text, err := replace(file, src, edits)
	if err != nil {
		return nil, err
	}
	_, text = shapeOf(text)
	if text, err = changeImports(file, text, imports, uses); err != nil {
		return nil, err
	}
	if clean && !bytes.Equal(text, src) {
		if text, err = gofmt(text); err != nil {
			return nil, fmt.Errorf("%s: the edited file does not parse: %w", file, err)
		}
	}
	return shape.restore(text), nil
}

// gofmt returns text as gofmt leaves it, which may take several turns where
// comments stand between arguments. What go/printer itself would break is returned
// as it is.
func gofmt(text []byte) ([]byte, error) {
	last, err := format.Source(text)
	if err != nil {
		return nil, err
	}
	for range 4 {
		next, err := format.Source(last)
		if err != nil {
			return text, nil
		}
		if bytes.Equal(next, last) {
			break
		}
		last = next
	}
	return last, nil
}

// shape is what a file has besides its lines.
type shape struct {
	bom       bool
	crlf      bool // every line ends with it
	noNewline bool // the last line does not end
}

// shapeOf returns the file's shape and its text without a byte order mark and,
// if all line ends are CRLF, with plain ones.
func shapeOf(src []byte) (shape, []byte) {
	var s shape
	text, hasBOM := bytes.CutPrefix(src, bom)
	s.bom = hasBOM
	if n := bytes.Count(text, lf); n > 0 && n == bytes.Count(text, crlf) {
		s.crlf = true
		text = bytes.ReplaceAll(text, crlf, lf)
	}
	s.noNewline = len(text) > 0 && !bytes.HasSuffix(text, lf)
	return s, text
}

// clean reports whether gofmt would leave the text as it is.
func (s shape) clean(text []byte) bool {
	if s.noNewline {
		text = append(slices.Clip(text), '\n')
	}
	formatted, err := format.Source(text)
	return err == nil && bytes.Equal(formatted, text)
}

func (s shape) restore(text []byte) []byte {
	if s.noNewline {
		text = bytes.TrimSuffix(text, lf)
	}
	if s.crlf {
		text = bytes.ReplaceAll(text, lf, crlf)
	}
	if s.bom {
		text = append(slices.Clip(slices.Clone(bom)), text...)
	}
	return text
}

// replace makes the edits. Inserted line ends are those of the file.
func replace(file string, src []byte, edits []plan.Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b plan.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	shape, _ := shapeOf(src)
	var out []byte
	last := 0
	for _, e := range edits {
		if e.Start < last || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("%s: internal error: edit of bytes %d to %d overlaps another or leaves the file of %d bytes",
				file, e.Start, e.End, len(src))
		}
		out = append(out, src[last:e.Start]...)
		text := e.New
		if shape.crlf {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		}
		out = append(out, text...)
		last = e.End
	}
	return append(out, src[last:]...), nil
}
