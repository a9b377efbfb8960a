package terminal49

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// ContainerSummary counts containers in groups. Its JSON is the service's own and can be read back.
type ContainerSummary struct {
	Groups    []ContainerGroup // data: the largest first, at most 200
	Total     int              // meta.total: containers in all groups, also in those that are left out
	GroupBy   ContainerGroupBy // meta.group_by
	Truncated bool             // meta.truncated: whether groups are left out
}

// ContainerGroup is one group of a [ContainerSummary]. A key or label without a value (null) means
// that the service does not know it, such as the terminal of a container at sea; "" is a value.
type ContainerGroup struct {
	Key   Opt[string] `json:"key"`   // such as a status or the id of a terminal; no other group has it
	Label Opt[string] `json:"label"` // human-readable
	Count int         `json:"count"` // of containers
}

// ContainerGroupBy is what [ContainersService.Summary] groups containers by.
type ContainerGroupBy string

// The values of ContainerGroupBy.
const (
	GroupByStatus          ContainerGroupBy = "current_status"
	GroupByPODTerminal     ContainerGroupBy = "pod_terminal"
	GroupByShippingLine    ContainerGroupBy = "shipping_line"
	GroupByPortOfDischarge ContainerGroupBy = "port_of_discharge"
)

var containerGroupBys = []ContainerGroupBy{GroupByStatus, GroupByPODTerminal, GroupByShippingLine, GroupByPortOfDischarge}

// Summary counts the containers that List returns for a filter, in groups, with one request. It is
// newer than the service's published OpenAPI file: ErrNotFound means that the service does not have
// it, or has not enabled it for the account. A filter that the service ignores cannot be noticed
// here, unlike in a list. Counts that do not add up to Total are a decode warning.
//
// API: GET /containers/summary. Errors: ErrNotFound, ErrInvalid.
func (s *ContainersService) Summary(ctx context.Context, by ContainerGroupBy, filter ContainerFilter, opts ...CallOption) (*ContainerSummary, error) {
	e := newEndpoint(operation.ContainersSummary).with(&summaryParams{by, filter})
	reply := summaryReply{asked: by}
	if err := readPlain(ctx, s.client, e, opts, &reply); err != nil {
		return nil, err
	}
	return reply.summary(), nil
}

type summaryParams struct {
	by     ContainerGroupBy
	filter ContainerFilter
}

func (p *summaryParams) query(q *query) {
	if !isKnown(p.by, containerGroupBys) {
		q.reject("by", "must be a constant of ContainerGroupBy, such as GroupByStatus")
	}
	q.setText("group_by", string(p.by))
	q.setContainerFilter(p.filter)
}

// summaryReply is the service's form of a summary. Only a key and a label may be missing.
type summaryReply struct {
	Data []summaryGroup `json:"data"`
	Meta struct {
		Total     Opt[int]         `json:"total"`
		GroupBy   ContainerGroupBy `json:"group_by"`
		Truncated Opt[bool]        `json:"truncated"`
	} `json:"meta"`
	asked ContainerGroupBy // "" if it is not known what was asked for
}

type summaryGroup struct {
	Key   Opt[string] `json:"key"`
	Label Opt[string] `json:"label"`
	Count Opt[int]    `json:"count"`
}

// incomplete returns an error if the counts cannot be trusted.
func (r *summaryReply) incomplete() error {
	_, complete := r.Meta.Truncated.Get()
	switch {
	case r.Data == nil:
		return errors.New("it has no data")
	case r.Meta.Total.Or(-1) < 0 || !complete:
		return errors.New("it has no meta.total or no meta.truncated")
	case r.asked != "" && r.Meta.GroupBy != r.asked:
		return errors.New("its groups are not those that were asked for")
	}
	type key struct {
		text  string
		known bool
	}
	seen := map[key]bool{}
	for _, g := range r.Data {
		text, known := g.Key.Get()
		if g.Count.Or(-1) < 0 {
			return errors.New("a group has no count")
		}
		if seen[key{text, known}] {
			return errors.New("two groups have the same key, so no count can be trusted")
		}
		seen[key{text, known}] = true
	}
	return nil
}

// doubts reports counts that contradict the total.
func (r *summaryReply) doubts(report func(jsonapi.Warning)) {
	left := r.Meta.Total.Or(0)
	for _, g := range r.Data {
		if left -= g.Count.Or(0); left < 0 {
			break
		}
	}
	if left < 0 || left > 0 && !r.Meta.Truncated.Or(false) {
		report(jsonapi.Warning{Field: "meta.total", Problem: "the counts of the groups do not add up to it"})
	}
}

func (r *summaryReply) summary() *ContainerSummary {
	s := &ContainerSummary{
		Groups: make([]ContainerGroup, len(r.Data)), Total: r.Meta.Total.Or(0), GroupBy: r.Meta.GroupBy,
		Truncated: r.Meta.Truncated.Or(false),
	}
	for i, g := range r.Data {
		s.Groups[i] = ContainerGroup{g.Key, g.Label, g.Count.Or(0)}
	}
	return s
}

// MarshalJSON returns the service's own form.
func (s ContainerSummary) MarshalJSON() ([]byte, error) {
	reply := summaryReply{Data: make([]summaryGroup, len(s.Groups))}
	for i, g := range s.Groups {
		reply.Data[i] = summaryGroup{g.Key, g.Label, Some(g.Count)}
	}
	reply.Meta.Total, reply.Meta.GroupBy, reply.Meta.Truncated = Some(s.Total), s.GroupBy, Some(s.Truncated)
	return json.Marshal(reply)
}

// UnmarshalJSON parses what MarshalJSON returns.
func (s *ContainerSummary) UnmarshalJSON(data []byte) error {
	var reply summaryReply
	if string(data) == "null" {
		return nil
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return &storedError{s, unquoted(err)}
	}
	if err := reply.incomplete(); err != nil {
		return &storedError{s, err}
	}
	*s = *reply.summary()
	return nil
}
