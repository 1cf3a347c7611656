package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

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

// ignores are the directives of a file for a rule.
type ignores struct {
	tok      *token.File
	rule     string
	all      []*ignore
	lines    map[int][]*ignore // by the line that they are for
	findings []plan.Finding
}

// An ignore is a directive.
type ignore struct {
	comment *ast.Comment
	named   bool // it names the rule, and no other that there is not
	used    bool // it covers something
}

// directives finds what is ignored of a rule. A directive that lacks something is
// a finding of the first rule that it names, and of basicproperties if it names
// none.
func directives(fset *token.FileSet, file *ast.File, rule string) *ignores {
	ig := &ignores{tok: fset.File(file.FileStart), rule: rule, lines: make(map[int][]*ignore)}
	code := make(map[int]bool) // lines that more than comments start on; made when needed
	for _, group := range file.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, directive)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			rules, reason := strings.TrimSpace(rest), ""
			if i := strings.IndexAny(rules, " \t"); i >= 0 {
				rules, reason = rules[:i], strings.TrimSpace(rules[i:])
			}
			first, _, _ := strings.Cut(rules, ",")
			if first != rulePublish && first != ruleShim {
				first = ruleBasicProperties
			}
			if (rules == "" || reason == "") && rule == first {
				message := "say why: " + directive + " " + rules + " reason"
				if rules == "" {
					message = "name a rule and say why: " + directive + " basicproperties reason"
				}
				ig.findings = append(ig.findings, ig.finding(c, plan.IgnoreReason, message))
			}
			named := strings.Split(rules, ",")
			unknown := slices.IndexFunc(named, func(name string) bool { return name != "" && !slices.Contains(ruleNames, name) })
			if unknown >= 0 {
				// Rather a site too few is rewritten than one that was to stay.
				message := "there is no rule " + strconv.Quote(named[unknown]) + "; the rules are " + strings.Join(ruleNames, ", ")
				ig.findings = append(ig.findings, ig.finding(c, plan.IgnoreReason, message))
			} else if rules != "" && !slices.Contains(named, rule) {
				continue
			}
			if len(code) == 0 {
				codeLines(ig.tok, file, code)
			}
			line := ig.line(c.Pos())
			if !code[line] {
				line = ig.line(group.End()) + 1
			}
			d := &ignore{comment: c, named: unknown < 0 && rules != ""}
			ig.all = append(ig.all, d)
			ig.lines[line] = append(ig.lines[line], d)
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
func (ig *ignores) covers(n ast.Node) (covered bool) {
	if len(ig.lines) == 0 {
		return false
	}
	for line := ig.line(n.Pos()); line <= ig.line(n.End()); line++ {
		for _, d := range ig.lines[line] {
			d.used, covered = true, true
		}
	}
	return covered
}

// finding returns what there is to say of a directive.
func (ig *ignores) finding(c *ast.Comment, category, message string) plan.Finding {
	return plan.Finding{
		Pos:      ig.tok.PositionFor(c.Pos(), false),
		End:      ig.tok.PositionFor(c.End(), false),
		Category: category,
		Message:  message,
	}
}

// report adds the findings to the result and reports them, once the rule has asked
// of all that it looks for in the file whether it is covered. What other things a
// file has that no rule looks into is not known, so no directive there is in vain.
func (ig *ignores) report(pass *analysis.Pass, file *ast.File, result *plan.Result) {
	for _, d := range ig.all {
		if !d.named || untouchable(pass, file) != nil {
			continue
		}
		unused := ig.finding(d.comment, plan.IgnoreUnused, "there is nothing here that the rule "+ig.rule+" would find")
		if d.used {
			result.Refuted = append(result.Refuted, unused)
		} else {
			ig.findings = append(ig.findings, unused)
		}
	}
	for _, finding := range ig.findings {
		result.Findings = append(result.Findings, finding)
		reportWith(pass, finding.Category, analysis.Diagnostic{
			Pos:     ig.tok.Pos(finding.Pos.Offset),
			End:     ig.tok.Pos(finding.End.Offset),
			Message: finding.Message,
		})
	}
}

// reportIgnores reports on the directives of a package that has nothing else for
// the rule.
func reportIgnores(pass *analysis.Pass, rule string, result *plan.Result) {
	for _, file := range pass.Files {
		directives(pass.Fset, file, rule).report(pass, file, result)
	}
}
