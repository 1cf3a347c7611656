package wire

import "testing"

var channelCases = []methodCase{
	{20<<16 | 10, "channel.open", &ChannelOpen{}, "\x00"},
	{20<<16 | 11, "channel.open-ok", &ChannelOpenOk{}, "\x00\x00\x00\x00"},
	{20<<16 | 20, "channel.flow", &ChannelFlow{Active: true}, "\x01"},
	{20<<16 | 21, "channel.flow-ok", &ChannelFlowOk{Active: true}, "\x01"},
	{20<<16 | 40, "channel.close",
		&ChannelClose{ReplyCode: 404, ReplyText: "NOT_FOUND", ClassID: 60, MethodID: 40},
		"\x01\x94\x09NOT_FOUND\x00\x3c\x00\x28"},
	{20<<16 | 41, "channel.close-ok", &ChannelCloseOk{}, ""},
}

func TestChannelMethods(t *testing.T) { testMethods(t, channelCases) }
