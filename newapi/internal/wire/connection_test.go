package wire

import "testing"

var connectionCases = []methodCase{
	{10<<16 | 10, "connection.start",
		&ConnectionStart{VersionMajor: 0, VersionMinor: 9, ServerProperties: oneField, Mechanisms: "PLAIN AMQPLAIN", Locales: "en_US"},
		"\x00\x09" + oneFieldBytes + "\x00\x00\x00\x0ePLAIN AMQPLAIN" + "\x00\x00\x00\x05en_US"},
	{10<<16 | 11, "connection.start-ok",
		&ConnectionStartOk{ClientProperties: oneField, Mechanism: "PLAIN", Response: "\x00guest\x00guest", Locale: "en_US"},
		oneFieldBytes + "\x05PLAIN" + "\x00\x00\x00\x0c\x00guest\x00guest" + "\x05en_US"},
	{10<<16 | 20, "connection.secure", &ConnectionSecure{Challenge: "who?"}, "\x00\x00\x00\x04who?"},
	{10<<16 | 21, "connection.secure-ok", &ConnectionSecureOk{Response: "me"}, "\x00\x00\x00\x02me"},
	{10<<16 | 30, "connection.tune",
		&ConnectionTune{ChannelMax: 2047, FrameMax: 131072, Heartbeat: 60},
		"\x07\xff\x00\x02\x00\x00\x00\x3c"},
	{10<<16 | 31, "connection.tune-ok",
		&ConnectionTuneOk{ChannelMax: 1, FrameMax: 4096, Heartbeat: 10},
		"\x00\x01\x00\x00\x10\x00\x00\x0a"},
	{10<<16 | 40, "connection.open", &ConnectionOpen{VirtualHost: "/v"}, "\x02/v\x00\x00"},
	{10<<16 | 41, "connection.open-ok", &ConnectionOpenOk{}, "\x00"},
	{10<<16 | 50, "connection.close",
		&ConnectionClose{ReplyCode: 501, ReplyText: "FRAME_ERROR", ClassID: 60, MethodID: 40},
		"\x01\xf5\x0bFRAME_ERROR\x00\x3c\x00\x28"},
	{10<<16 | 51, "connection.close-ok", &ConnectionCloseOk{}, ""},
	{10<<16 | 60, "connection.blocked", &ConnectionBlocked{Reason: "memory"}, "\x06memory"},
	{10<<16 | 61, "connection.unblocked", &ConnectionUnblocked{}, ""},
	{10<<16 | 70, "connection.update-secret",
		&ConnectionUpdateSecret{NewSecret: "s3", Reason: "due"},
		"\x00\x00\x00\x02s3\x03due"},
	{10<<16 | 71, "connection.update-secret-ok", &ConnectionUpdateSecretOk{}, ""},
}

func TestConnectionMethods(t *testing.T) { testMethods(t, connectionCases) }

// The reserved arguments mean nothing, whatever a peer puts there.
func TestReservedArgumentsAreSkipped(t *testing.T) {
	tests := []struct {
		method Method
		bytes  string
	}{
		{new(ConnectionOpen), "\x01/\x03cap\x01"},
		{new(ConnectionOpenOk), "\x05hosts"},
		{new(ChannelOpen), "\x03oob"},
		{new(ChannelOpenOk), "\x00\x00\x00\x02id"},
		{new(BasicGetEmpty), "\x07cluster"},
		{new(QueuePurge), "\xff\xff\x01q\x00"},
	}
	for _, test := range tests {
		if err := test.method.DecodeArguments([]byte(test.bytes)); err != nil {
			t.Errorf("%s: %v", test.method.ID(), err)
		}
	}
}
