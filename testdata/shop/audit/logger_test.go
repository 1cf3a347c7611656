package audit

import (
	"fmt"
	"testing"
	"time"

	"example.com/shop/internal/brokertest"
	"example.com/shop/internal/stamp"
)

var start = time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC)

func TestRecords(t *testing.T) {
	tests := []struct {
		name   string
		record func(*Logger) error
		want   string
	}{
		{"login", func(l *Logger) error { return l.Login("ada", "office", Info) },
			"audit.login office priority 0 mode 0 map[] ada from office"},
		{"suspicious login", func(l *Logger) error { return l.Login("ada", "abroad", Warning) },
			"audit.login abroad priority 5 mode 0 map[] ada from abroad"},
		{"alarming login", func(l *Logger) error { return l.Login("ada", "moon", Alarm) },
			"audit.login moon priority 9 mode 2 map[] ada from moon"},
		{"change", func(l *Logger) error { return l.Changed("ada", "order 7", "total", "country") },
			"audit.changed  priority 2 mode 0 map[field.country:true field.total:true user:ada] order 7"},
		{"change of nothing", func(l *Logger) error { return l.Changed("ada", "order 7") },
			"audit.changed  priority 0 mode 0 map[user:ada] order 7"},
		{"full export", func(l *Logger) error { return l.Exported("ada", "") },
			"audit.export.full  priority 5 mode 2 map[] ada"},
		{"export of a delta", func(l *Logger) error { return l.Exported("ada", "2024-05-01") },
			"audit.export.delta  priority 0 mode 0 map[path:[orders refunds] since:2024-05-01] ada"},
		{"schema", func(l *Logger) error { return PublishSchema(l.ch, l.exchange) },
			`audit.schema schema priority 0 mode 0 map[version:7] {"records":["login","changed","exported","denied"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ch, names := brokertest.Open(t)
			if err := tt.record(New(ch, names.Audit, stamp.NewSequence("a", start))); err != nil {
				t.Fatal(err)
			}
			m := brokertest.Get(t, ch, names.AuditLog)
			p := m.Properties
			got := fmt.Sprintf("%s %s priority %d mode %d %v %s", p.Type(), m.RoutingKey, p.Priority(), p.DeliveryMode(), p.Headers(), m.Body)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestDeniedNamesTheRules(t *testing.T) {
	tests := []struct {
		env, rules string
		new        bool
	}{
		{"", "2019", false},
		{"1", "2024", true},
	}
	for _, tt := range tests {
		t.Run(tt.rules, func(t *testing.T) {
			t.Setenv("SHOP_NEW_RULES", tt.env)
			_, ch, names := brokertest.Open(t)
			if err := New(ch, names.Audit, stamp.NewSequence("a", start)).Denied("bob", "refund"); err != nil {
				t.Fatal(err)
			}
			p := brokertest.Get(t, ch, names.AuditLog).Properties
			if p.Headers()["rules"] != tt.rules || p.Headers()["new"] != tt.new || !p.Timestamp().Equal(start) {
				t.Errorf("headers %v at %v, want rules %s, new %v at %v", p.Headers(), p.Timestamp(), tt.rules, tt.new, start)
			}
		})
	}
}
