package edit

import "testing"

func TestLiteral(t *testing.T) {
	field := func(key, value string) Field { return Field{Key: key, Value: value} }
	table := func(fields ...Field) Field {
		return Field{Key: "Headers", Nested: &Literal{Type: "Table", Fields: fields}}
	}
	for _, tt := range []struct {
		name    string
		lit     Literal
		indent  string
		column  int
		oneLine bool
		want    string
	}{
		{"empty", Literal{Type: "T"}, "\t", 10, false, "T{}"},
		{"one", Literal{Type: "T", Fields: []Field{field("A", "1")}}, "\t", 10, false, "T{A: 1}"},
		{"two", Literal{Type: "T", Fields: []Field{field("A", "1"), field("BB", "2")}}, "\t", 10, false, "T{A: 1, BB: 2}"},
		{"two that are too long", Literal{Type: "T", Fields: []Field{field("A", "1"), field("BB", "2")}}, "\t", 95, false, "T{\n\t\tA:  1,\n\t\tBB: 2,\n\t}"},
		{
			"three", Literal{Type: "T", Fields: []Field{field("A", "1"), field("BB", "2"), field("CCC", "3")}}, "\t\t", 10, false,
			"T{\n\t\t\tA:   1,\n\t\t\tBB:  2,\n\t\t\tCCC: 3,\n\t\t}",
		},
		{
			"three that were on one line", Literal{Type: "T", Fields: []Field{field("A", "1"), field("B", "2"), field("C", "3")}}, "\t\t", 10, true,
			"T{A: 1, B: 2, C: 3}",
		},
		{
			"comments", Literal{Type: "T", Comment: "// open", Fields: []Field{
				{Key: "A", Value: "1", Comment: "// one", Blank: true},
				{Key: "BBB", Value: "2", Lead: []string{"// why", "/* so */"}, Comment: "/* two */"},
				{Key: "C", Value: "3", Blank: true},
			}}, "\t", 10, true,
			"T{ // open\n\t\tA: 1, // one\n\t\t// why\n\t\t/* so */\n\t\tBBB: 2, /* two */\n\n\t\tC: 3,\n\t}",
		},
		{
			"an argument of several lines", Literal{Type: "T", Fields: []Field{field("A", "f(\n\t1, // one\n\t2)"), field("B", "`x\n\ty`")}}, "\t", 10, false,
			"T{\n\t\tA: f(\n\t\t\t1, // one\n\t\t\t2),\n\t\tB: `x\n\ty`,\n\t}",
		},
		{"one header", Literal{Type: "T", Fields: []Field{table(field(`"a"`, "1"))}}, "\t", 10, false, `T{Headers: Table{"a": 1}}`},
		{
			"two headers", Literal{Type: "T", Fields: []Field{table(field(`"a"`, "1"), field(`"bb"`, "2"))}}, "\t", 10, false,
			"T{\n\t\tHeaders: Table{\n\t\t\t\"a\":  1,\n\t\t\t\"bb\": 2,\n\t\t},\n\t}",
		},
		{
			"a header with a comment", Literal{Type: "T", Fields: []Field{table(Field{Key: `"a"`, Value: "1", Comment: "// c"})}}, "\t", 10, false,
			"T{\n\t\tHeaders: Table{\n\t\t\t\"a\": 1, // c\n\t\t},\n\t}",
		},
		{
			"indented by four spaces", Literal{Type: "T", Fields: []Field{field("A", "1"), field("BB", "`x\n\ty`"), field("C", "3")}}, "        ", 10, false,
			"T{\n            A: 1,\n            BB: `x\n\ty`,\n            C: 3,\n        }",
		},
		{
			"indented by two", Literal{Type: "T", Fields: []Field{field("A", "1"), field("B", "2"), field("C", "3")}}, "  ", 10, false,
			"T{\n    A: 1,\n    B: 2,\n    C: 3,\n  }",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.lit.Text(tt.indent, tt.column, tt.oneLine); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
