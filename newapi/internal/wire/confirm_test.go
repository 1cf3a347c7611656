package wire

import "testing"

var confirmCases = []methodCase{
	{85<<16 | 10, "confirm.select", &ConfirmSelect{NoWait: true}, "\x01"},
	{85<<16 | 11, "confirm.select-ok", &ConfirmSelectOk{}, ""},
}

func TestConfirmMethods(t *testing.T) { testMethods(t, confirmCases) }
