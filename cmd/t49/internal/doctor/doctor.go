// Package doctor answers the questions of t49 doctor: what an account shows of the service that the
// documents of the service leave open, such as unknown attributes and values, parameters that are
// ignored, pages that are shorter than requested, values that cannot be read, limits and clocks. It
// only reads.
//
// The report can be published, for example in an issue: it has no names, numbers, ids, dates or
// secrets of the account, and not how much the account has. It consists of sentences of this
// package, names of attributes that the account has not chosen, small numbers such as the size of a
// page, names of Go fields, and words of the trade and of known attributes. "…" stands for others.
package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-freight/terminal49"
)

// Finding is the answer to one question.
type Finding struct {
	Question string `json:"question"` // such as "How many shipments does a page have, if 100 are requested?"
	Answer   string `json:"answer"`   // such as "100.", or "Not known, because ..."
	Meaning  string `json:"meaning"`  // what follows for a program or a mirror; "" if nothing does
	Known    bool   `json:"known"`    // whether there is an answer
}

// String returns the finding in one line.
func (f Finding) String() string {
	return strings.TrimSpace(f.Question + " " + f.Answer + " " + f.Meaning)
}

// Report has the answer to every question, in a fixed order.
type Report struct {
	Findings []Finding
	Requests int // sent

	failures []error
}

// String returns a line for each finding. It can be published.
func (r *Report) String() string {
	var text strings.Builder
	for _, f := range r.Findings {
		text.WriteString(f.String() + "\n")
	}
	return text.String()
}

// MarshalJSON returns the findings as a list. It can be published.
func (r *Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.Findings) }

// Err returns why questions have no answer: the first ErrUnauthorized, ErrRateLimited,
// *TransportError or error of the context. It is nil if the service answered, with whatever status.
// Unlike the report, it may name the account's ids.
func (r *Report) Err() error {
	if len(r.failures) == 0 {
		return nil
	}
	return r.failures[0]
}

// Examine answers all questions with about 30 requests, one after another. A question that has no
// answer does not keep the others from theirs. If three in a row get no response, or the service
// refuses the token or reports its rate limit three times in a row, the others are not asked.
//
// API: GET requests of lists, and GET /me.
func Examine(ctx context.Context, client *terminal49.Client) *Report {
	e := &examination{ctx: ctx, client: client, report: new(Report), limits: map[string]string{}, seen: newInventory()}
	for _, answer := range questions {
		e.report.Findings = append(e.report.Findings, answer(e))
	}
	return e.report
}

// questions are in the order of the report. The last ones are about all responses.
var questions = []func(*examination) Finding{
	(*examination).identity,
	(*examination).shipmentPage,
	(*examination).eventsWithShipments,
	(*examination).containerPage,
	(*examination).eventsWithContainers,
	(*examination).requestPage,
	(*examination).pageNumber,
	(*examination).stoppedFilter,
	(*examination).shipmentNumber,
	(*examination).containerNumber,
	(*examination).changedContainers,
	(*examination).changedRequests,
	(*examination).otherFilters,
	(*examination).logOrder,
	(*examination).logTimes,
	(*examination).logInclude,
	(*examination).webhookStates,
	(*examination).subscribable,
	(*examination).documents,
	(*examination).customFields,
	(*examination).definitions,
	(*examination).parties,
	(*examination).shippingLines,

	(*examination).unknownTypes,
	(*examination).unknownAttributes,
	(*examination).missingAttributes,
	(*examination).unknownValues,
	(*examination).unreadable,
	(*examination).oddDocuments,
	(*examination).rateLimits,
	(*examination).clocks,
}

// examination asks the service.
type examination struct {
	ctx    context.Context
	client *terminal49.Client
	report *Report

	shipments, containers, requests, log answer // the first pages

	limits map[string]string // headers of responses about limits, as they may be published
	seen   *inventory
	clock  clock
	odd    []string // what is odd in the form of documents

	inRow   int    // responses in a row that are of no use to any question
	stopped string // why nothing else is asked; "" as long as it is
}

// known returns a finding that has an answer.
func known(question, answer, meaning string) Finding {
	return Finding{Question: question, Answer: answer, Meaning: meaning, Known: true}
}

// unknown returns a finding that has no answer.
func unknown(question, because, meaning string) Finding {
	return Finding{Question: question, Answer: "Not known, because " + because + ".", Meaning: meaning}
}

// failed notes an error that is reported by Err.
func (e *examination) failed(err error) {
	for _, kind := range []error{terminal49.ErrUnauthorized, terminal49.ErrRateLimited, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, kind) {
			e.report.failures = append(e.report.failures, err)
			return
		}
	}
	var transport *terminal49.TransportError
	if errors.As(err, &transport) {
		e.report.failures = append(e.report.failures, err)
	}
}
