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

	fix, diff   bool
	tags, steps string // lists
}

// parseFlags reads the command line. When there is nothing to run, ok is false
// and code is the exit code.
func parseFlags(args []string, stdout, stderr io.Writer) (conf config, code int, ok bool) {
	fs := conf.flagSet()
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
	case conf.fix && conf.diff:
		return usage("-fix and -diff: choose one")
	case conf.fix:
		conf.options.Mode = driver.ModeFix
	case conf.diff:
		conf.options.Mode = driver.ModeDiff
	}
	if !slices.Contains([]string{"background", "scope"}, conf.options.Ctx) {
		return usage("-ctx=%s: want background or scope", conf.options.Ctx)
	}
	if conf.options.Force && !conf.fix {
		return usage("-force needs -fix")
	}
	if conf.options.UpdateMod && !conf.fix && !conf.diff {
		return usage("-update-mod needs -fix or -diff")
	}
	if conf.options.AllowGoUpgrade && !conf.options.UpdateMod {
		return usage("-allow-go-upgrade needs -update-mod")
	}
	for step := range strings.SplitSeq(conf.steps, ",") {
		if step != driver.StepShim && step != driver.StepPublish {
			return usage("-steps=%s: want %s or %s,%s", conf.steps, driver.StepShim, driver.StepShim, driver.StepPublish)
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
	if err := conf.options.Check(); err != nil {
		return usage("%v", err)
	}
	conf.options.Tags = strings.FieldsFunc(conf.tags, func(r rune) bool { return r == ',' || r == ' ' })
	return conf, exitClean, true
}

// flagSet returns the flags of the command, which are described in helpText.
func (c *config) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("amqpfix", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.BoolVar(&c.fix, "fix", false, "")
	fs.BoolVar(&c.diff, "diff", false, "")
	fs.StringVar(&c.tags, "tags", "", "")
	fs.StringVar(&c.steps, "steps", driver.StepShim+","+driver.StepPublish, "")
	appendTo := func(to *[]string) func(string) error {
		return func(list string) error {
			*to = append(*to, strings.Split(list, ",")...)
			return nil
		}
	}
	fs.Func("rules", "", appendTo(&c.options.Rules))
	fs.Func("exclude", "", appendTo(&c.options.Exclude))
	fs.StringVar(&c.options.To, "to", driver.ToCompat, "")
	fs.BoolVar(&c.options.Exported, "exported", false, "")
	fs.BoolVar(&c.options.UpdateMod, "update-mod", false, "")
	fs.BoolVar(&c.options.AllowGoUpgrade, "allow-go-upgrade", false, "")
	fs.StringVar(&c.options.Dir, "C", "", "")
	fs.StringVar(&c.options.Ctx, "ctx", "background", "")
	fs.BoolVar(&c.options.Force, "force", false, "")
	fs.BoolVar(&c.options.Tests, "tests", true, "")
	fs.BoolVar(&c.json, "json", false, "")
	fs.BoolVar(&c.version, "version", false, "")
	return fs
}
