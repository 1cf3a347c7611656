package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// directive is the comment that keeps a rule from a line:
//
//	//amqpfix:ignore rule[,rule] reason
//
// at the end of the line, or alone on a line above it.
const directive = "//amqpfix:ignore"

// ruleNames are what a directive may name.
var ruleNames = []string{ruleBasicProperties, rulePublish, ruleShim}

// ignores are the lines of a file that a rule must leave.
type ignores struct {
	tok      *token.File
	lines    map[int]bool
	findings []plan.Finding
}

// directives finds what is ignored of a rule. A directive that lacks something is a finding of the first rule that it names,
// and of basicproperties if it names none.
func directives(fset *token.FileSet, file *ast.File, rule string) *ignores {
	ig := &ignores{tok: fset.File(file.FileStart), lines: make(map[int]bool)}
	code := make(map[int]bool) // lines that more than comments start on; made when needed
	for _, group := range file.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, directive)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			rules, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
			reason = strings.TrimSpace(reason)
			first, _, _ := strings.Cut(rules, ",")
			if first != rulePublish && first != ruleShim {
				first = ruleBasicProperties
			}
			if (rules == "" || reason == "") && rule == first {
				message := "say why: " + directive + " " + rules + " reason"
				if rules == "" {
					message = "name a rule and say why: " + directive + " basicproperties reason"
				}
				ig.findings = append(ig.findings, plan.Finding{
					Pos:      fset.PositionFor(c.Pos(), false),
					End:      fset.PositionFor(c.End(), false),
					Category: plan.IgnoreReason,
					Message:  message,
				})
			}
			named := strings.Split(rules, ",")
			unknown := slices.IndexFunc(named, func(name string) bool { return name != "" && !slices.Contains(ruleNames, name) })
			if unknown >= 0 {
				// Rather a site too few is rewritten than one that was to stay.
				ig.findings = append(ig.findings, plan.Finding{
					Pos:      fset.PositionFor(c.Pos(), false),
					End:      fset.PositionFor(c.End(), false),
					Category: plan.IgnoreReason,
					Message:  "there is no rule " + strconv.Quote(named[unknown]) + "; the rules are " + strings.Join(ruleNames, ", "),
				})
			} else if rules != "" && !slices.Contains(named, rule) {
				continue
			}
			if len(code) == 0 {
				codeLines(ig.tok, file, code)
			}
			if line := ig.line(c.Pos()); code[line] {
				ig.lines[line] = true
			} else {
				ig.lines[ig.line(group.End())+1] = true
			}
		}
	}
	return ig
}

// codeLines marks the lines that a node ends or starts on.
func codeLines(tok *token.File, file *ast.File, code map[int]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.File, *ast.Comment, *ast.CommentGroup:
			return n != nil
		}
		code[tok.PositionFor(n.Pos(), false).Line] = true
		code[tok.PositionFor(n.End(), false).Line] = true
		return true
	})
}

func (ig *ignores) line(pos token.Pos) int { return ig.tok.PositionFor(pos, false).Line }

// covers reports whether a directive is for one of the lines of n.
func (ig *ignores) covers(n ast.Node) bool {
	if len(ig.lines) == 0 {
		return false
	}
	for line := ig.line(n.Pos()); line <= ig.line(n.End()); line++ {
		if ig.lines[line] {
			return true
		}
	}
	return false
}
