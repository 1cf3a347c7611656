//go:build !trace

package audit

// Trace does nothing in builds without the tag trace.
func (l *Logger) Trace(string) {}
