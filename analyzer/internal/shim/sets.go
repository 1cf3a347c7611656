package shim

import (
	"cmp"
	"slices"
	"strings"
)

// sorted returns the sets that have files, by the name of their first one, each
// file and export once.
func sorted(sets map[Node]*Set) []Set {
	var list []Set
	for _, s := range sets {
		if len(s.Files) == 0 {
			continue
		}
		slices.SortFunc(s.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
		s.Files = slices.CompactFunc(s.Files, func(a, b File) bool { return a.Name == b.Name })
		slices.SortFunc(s.Exports, func(a, b Export) int {
			return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset))
		})
		s.Exports = slices.Compact(s.Exports)
		slices.Sort(s.Near)
		s.Near = slices.Compact(s.Near)
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Set) int { return strings.Compare(a.Files[0].Name, b.Files[0].Name) })
	return list
}
