// Package task describes what a worker is asked to do.
package task

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Task is one piece of work. Producers fill it in, the broker carries it as JSON.
type Task struct {
	ID       string                 `json:"id"`
	Name     string                 `json:"name"` // "image.resize": group and function
	Args     []string               `json:"args,omitempty"`
	Headers  map[string]interface{} `json:"-"` // travel beside the body
	Priority uint8                  `json:"-"`
	Delay    time.Duration          `json:"-"`
}

// RoutingKey is the key under which workers of the task's group listen.
func (t *Task) RoutingKey() string {
	group, _, found := strings.Cut(t.Name, ".")
	if !found {
		return "default"
	}
	return group
}

// Encode returns the task as it goes into a message.
func (t *Task) Encode() ([]byte, error) {
	body, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("task %s: %w", t.ID, err)
	}
	return body, nil
}

// Decode is the way back.
func Decode(body []byte) (*Task, error) {
	t := new(Task)
	if err := json.Unmarshal(body, t); err != nil {
		return nil, fmt.Errorf("task: %w", err)
	}
	if t.Name == "" {
		return nil, fmt.Errorf("task %q has no name", t.ID)
	}
	return t, nil
}
