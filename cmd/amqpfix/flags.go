package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// A config is what the command line asks for.
type config struct {
	options driver.Options
	json    bool
	version bool
}

// parseFlags reads the command line. When there is nothing to run, ok is false
// and code is the exit code.
func parseFlags(args []string, stdout, stderr io.Writer) (conf config, code int, ok bool) {
	var fix, diff bool
	var tags, steps string
	fs := conf.flagSet(&fix, &diff, &tags, &steps)
	usage := func(format string, a ...any) (config, int, bool) {
		fmt.Fprintf(stderr, "amqpfix: "+format+"\n%s\nRun \"amqpfix help\" for more.\n", append(a, usageLine)...)
		return conf, exitUsage, false
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return conf, help(nil, stdout, stderr), false
	} else if err != nil {
		return usage("%v", err)
	}
	if conf.version {
		return conf, printVersion(stdout), false
	}
	conf.options.Patterns = fs.Args()
	if i := slices.IndexFunc(fs.Args(), func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		return usage("flag %s comes after the packages: put flags first", fs.Arg(i))
	}
	switch {
	case fix && diff:
		return usage("-fix and -diff: choose one")
	case fix:
		conf.options.Mode = driver.ModeFix
	case diff:
		conf.options.Mode = driver.ModeDiff
	}
	if !slices.Contains([]string{"background", "scope"}, conf.options.Ctx) {
		return usage("-ctx=%s: want background or scope", conf.options.Ctx)
	}
	if conf.options.Force && !fix {
		return usage("-force needs -fix")
	}
	if conf.options.UpdateMod && !fix && !diff {
		return usage("-update-mod needs -fix or -diff")
	}
	for step := range strings.SplitSeq(steps, ",") {
		if step != driver.StepShim && step != driver.StepPublish {
			return usage("-steps=%s: want %s or %s,%s", steps, driver.StepShim, driver.StepShim, driver.StepPublish)
		}
		conf.options.Steps = append(conf.options.Steps, step)
	}
	switch conf.options.To {
	case driver.ToCompat:
	case driver.ToUpstream:
		conf.options.Steps = []string{driver.StepShim} // there is no other
	default:
		return usage("-to=%s: want %s or %s", conf.options.To, driver.ToCompat, driver.ToUpstream)
	}
	conf.options.Tags = strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })
	return conf, exitClean, true
}

// flagSet returns the flags of the command, which are described in helpText.
func (c *config) flagSet(fix, diff *bool, tags, steps *string) *flag.FlagSet {
	fs := flag.NewFlagSet("amqpfix", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.BoolVar(fix, "fix", false, "")
	fs.BoolVar(diff, "diff", false, "")
	fs.StringVar(tags, "tags", "", "")
	fs.StringVar(steps, "steps", driver.StepShim+","+driver.StepPublish, "")
	fs.StringVar(&c.options.To, "to", driver.ToCompat, "")
	fs.BoolVar(&c.options.Exported, "exported", false, "")
	fs.BoolVar(&c.options.UpdateMod, "update-mod", false, "")
	fs.StringVar(&c.options.Dir, "C", "", "")
	fs.StringVar(&c.options.Ctx, "ctx", "background", "")
	fs.BoolVar(&c.options.Force, "force", false, "")
	fs.BoolVar(&c.options.Tests, "tests", true, "")
	fs.BoolVar(&c.json, "json", false, "")
	fs.BoolVar(&c.version, "version", false, "")
	return fs
}
