package canary

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/mock/gomock"
)

func TestNoConnection(t *testing.T) {
	refused := errors.New("refused")
	d := NewMockDialer(gomock.NewController(t))
	d.EXPECT().Dial("amqp://nowhere/").Return(nil, refused)
	if err := Sing(context.Background(), d, "amqp://nowhere/"); !errors.Is(err, refused) {
		t.Errorf("Sing = %v, want refused", err)
	}
}
