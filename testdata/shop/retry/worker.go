// Package retry works off a queue of jobs. A job that fails goes back to the end
// of the queue with a note of the attempt; after MaxAttempts it is parked in a
// dead-letter queue, where somebody looks at it.
package retry

import (
	"fmt"
	"strings"

	"github.com/amqpfix/amqpfix/compat"
)

// MaxAttempts is how often a job is tried.
const MaxAttempts = 3

// The headers that a failed job carries.
const (
	attemptHeader = "x-attempt"
	errorHeader   = "x-last-error"
	reasonHeader  = "x-death-reason"
)

// Handler does one job.
type Handler func(kind string, body []byte) error

// Worker takes jobs from one queue and parks what cannot be done in another.
type Worker struct {
	ch     *compat.Channel
	jobs   string
	parked string
	audit  string // exchange
	do     Handler
}

// New returns a worker on the queues jobs and parked that reports each run to
// the exchange audit.
func New(ch *compat.Channel, jobs, parked, audit string, do Handler) *Worker {
	return &Worker{ch: ch, jobs: jobs, parked: parked, audit: audit, do: do}
}

// Enqueue adds a job.
func (w *Worker) Enqueue(kind, id string, body []byte) error {
	props := w.ch.CreateBasicProperties()
	props.SetType("retry.job")
	props.SetMessageId(id)
	props.SetHeaders(compat.Table{"kind": kind, attemptHeader: int64(0)})
	props.SetPersistent(true)
	return w.ch.BasicPublish("", w.jobs, false, props, body)
}

// Run works until the queue of jobs is empty and says how many it has seen.
func (w *Worker) Run() (seen int, err error) {
	summary := w.ch.CreateBasicProperties()
	summary.SetType("retry.ran")
	summary.SetAppId("retry")
	// However it ends, the audit log shall know how far the worker has come.
	defer w.ch.BasicPublish(w.audit, "", false, summary, []byte("retry worker"))

	for {
		job, err := w.ch.BasicGet(w.jobs, false)
		if err != nil {
			return seen, fmt.Errorf("retry: next job: %w", err)
		}
		if job == nil {
			return seen, nil
		}
		seen++
		summary.SetHeaders(compat.Table{"seen": seen})
		if err := w.work(job.BasicDelivery); err != nil {
			return seen, err
		}
		if err := job.Ack(false); err != nil {
			return seen, fmt.Errorf("retry: acknowledge job %s: %w", job.Properties.MessageId(), err)
		}
	}
}

// work does one job, or decides where it goes next. The job is not acknowledged
// before it has arrived there.
func (w *Worker) work(d compat.BasicDelivery) error {
	headers := d.Properties.Headers()
	kind, known := headers["kind"].(string)
	if !known {
		return w.pass(d)
	}
	cause := w.do(kind, d.Body)
	if cause == nil {
		return nil
	}
	attempt, _ := headers[attemptHeader].(int64)
	attempt++
	if attempt >= MaxAttempts {
		return w.park(d, cause)
	}
	return w.again(d, attempt, cause)
}

// again puts a job back at the end of the queue.
func (w *Worker) again(d compat.BasicDelivery, attempt int64, cause error) error {
	headers := make(compat.Table, len(d.Properties.Headers())+2)
	for name, value := range d.Properties.Headers() {
		headers[name] = value
	}
	headers[attemptHeader] = attempt
	headers[errorHeader] = cause.Error()

	props := w.ch.CreateBasicProperties()
	props.SetType("retry.again")
	props.SetHeaders(headers)
	props.SetMessageId(d.Properties.MessageId())       // the same job
	props.SetDeliveryMode(d.Properties.DeliveryMode()) // as safe as it was
	if err := w.ch.BasicPublish("", w.jobs, false, props, d.Body); err != nil {
		return fmt.Errorf("retry: put job %s back: %w", d.Properties.MessageId(), err)
	}
	return nil
}

// park gives up on a job.
func (w *Worker) park(d compat.BasicDelivery, cause error) error {
	id := d.Properties.MessageId()
	props := w.ch.CreateBasicProperties()
	props.SetType("retry.parked")
	props.SetMessageId(id)
	props.SetHeaders(compat.Table{"kind": d.Properties.Headers()["kind"]})
	props.Headers()[reasonHeader] = cause.Error()
	if kind, _, ok := strings.Cut(cause.Error(), ":"); ok {
		props.Headers()["x-death-class"] = kind
	}

	// The queue is the last place where the job exists: say so if it fails.
	if err := func() error {
		if err := w.ch.BasicPublish("", w.parked, false, props, d.Body); err != nil {
			return fmt.Errorf("retry: job %s is lost: %w", id, err)
		}
		return nil
	}(); err != nil {
		return err
	}
	return w.alarm(id)
}

// alarm tells the audit log about a parked job.
func (w *Worker) alarm(id string) error {
	props := w.ch.CreateBasicProperties()
	props.SetType("retry.alarm")
	props.SetPriority(9)
	props.SetCorrelationId(id)
	if err := w.ch.BasicPublish(w.audit, "", false, props, []byte("parked "+id)); err != nil {
		return fmt.Errorf("retry: alarm for job %s: %w", id, err)
	}
	return nil
}

// pass parks a message that is no job of ours, with the properties it came with.
func (w *Worker) pass(d compat.BasicDelivery) error {
	d.Properties.SetType("retry.foreign")
	return w.ch.BasicPublish("", w.parked, false, d.Properties, d.Body)
}
