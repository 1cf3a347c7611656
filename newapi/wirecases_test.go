package newapi_test

import (
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
)

// TestWireCases holds the inputs that have broken AMQP clients, each with the right
// answer. A row is tested through the frame reader and writer, against a peer that
// says what the row tells it to, or against RabbitMQ where the answer is a broker's.
//
// What concerns a connection that recovers by itself (an ack of tag 1 from before a
// reconnect while a new tag 1 is outstanding) has no row: connections do not
// recover.
func TestWireCases(t *testing.T) {
	for _, row := range []struct {
		input string
		run   func(*testing.T)
	}{
		{"delivery with every property set and a body of one octet", newapi.WireEveryProperty},
		{"only MessageId set", newapi.WireOnlyMessageID},
		{"two deliveries, the first with an empty body, buffers poisoned between", newapi.TestDeliveriesKeepTheirMemory},
		{"headers flag unset", newapi.WireHeadersFlagUnset},
		{"headers flag set with an empty table", newapi.WireHeadersFlagWithEmptyTable},
		{"publish with an empty body", newapi.WirePublishEmptyBody},
		{"receive an empty body", newapi.WireReceiveEmptyBody},
		{"body of frame_max less 8", newapi.WireBodyOfOneFrame},
		{"body of frame_max less 8 and one octet more", newapi.WireBodyOfTwoFrames},
		{"headers int(3), int(2419200000), uint16(3), uint32(3)", newapi.WireIntegerHeaders},
		{"headers int(3), int64(2419200000), uint16(3), uint32(3) through a broker", wireIntegersThroughABroker},
		{"headers uint64(math.MaxUint64), chan int, a struct", newapi.WireHeadersWithoutAForm},
		{"headers []string, nested map[string]any, a named map type", newapi.WireSlicesAndMaps},
		{"CorrelationId of 255 octets", newapi.WireCorrelationID255},
		{"CorrelationId of 256 octets", newapi.WireCorrelationID256},
		{"CorrelationId of 128 accents, 256 octets", newapi.WireCorrelationIDOfAccents},
		{"headers larger than frame_max", newapi.WireHeadersBeyondFrameMax},
		{"Priority 0 in SendZero and not set", newapi.WirePriorityZero},
		{"Timestamp time.Unix(0,0), zero time.Time, zero in SendZero", newapi.WireTimestampsSent},
		{"timestamps of any 64 bits received", newapi.WireTimestampsReceived},
		{"field length -1", newapi.WireFieldLengthMinusOne},
		{"array cut after a type octet", newapi.WireArrayCutAfterTypeOctet},
		{"string length 0xFFFFFFFF", newapi.WireStringOfFourGigabytes},
		{"frame one octet above the negotiated maximum", newapi.WireFrameBeyondMaximum},
		{"ctx cancelled while another publish waits on a stalled socket", newapi.WireCancelledBehindAStalledSocket},
		{"custom AMQPHeader whose octets stop in the middle of a string", newapi.WireMalformedCustomHeader},
		{"one properties value, 8 goroutines", newapi.WireOneValueEightGoroutines},
		{"process that publishes once and calls os.Exit(0)", wireExitAfterPublish},
		{"1 MiB body, socket stalled, ctx cancelled, caller scribbles on the body", newapi.WireScribbledLargeBody},
		{"20000 mandatory publishes, a random third unroutable, duplicates included", wireMandatoryPublishes},
		{"disconnect with 3 unconfirmed publishes", newapi.TestDisconnectEndsOutstandingConfirms},
		{"publish to a missing exchange, then more publishes", wireMissingExchange},
		{"publishers at work while the broker closes their channel", newapi.TestNothingFollowsCloseOk},
		{"Notify channels unbuffered and never read", newapi.WireUnreadNotifyChans},
		{"publish that the broker refuses for size", wireRefusedForSize},
	} {
		t.Run(row.input, row.run)
	}
}
