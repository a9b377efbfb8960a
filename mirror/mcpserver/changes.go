package mcpserver

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49/mirror"
)

var changesTool = mcp.Tool{
	Name: "changes",
	Description: "What changed since a time, or since a position that an earlier answer gave, container by container, oldest first. " +
		"Ask again with the position of the answer: each change comes once.",
}

type changeKind string

var changeKinds = enumOf[changeKind]("hold", "fee", "last_free_day", "eta", "availability", "appointment", "milestone", "status", "vessel", "tracking", "new", "situation", "notice")

type changesInput struct {
	Since   string       `json:"since" jsonschema:"24h, 90m, 7d; a day or time such as 2026-11-20T08:00:00-08:00; or a position"`
	Kinds   []changeKind `json:"kinds,omitempty" jsonschema:"situation: it entered one; notice: one of the rules, such as a slipped ETA; default all but notice"`
	Numbers []string     `json:"numbers,omitempty" jsonschema:"only of these containers and shipments"`
	Limit   int          `json:"limit,omitempty" jsonschema:"changes, 1 to 1000; default 200"`
}

type changesAnswer struct {
	common
	Since      string            `json:"since"`
	Limit      int               `json:"limit,omitempty"`
	Position   string            `json:"position"`
	Containers []changedResource `json:"containers,omitempty"`
	Shipments  []changedResource `json:"shipments,omitempty"`
}

// changedResource is a container or a shipment with what changed.
type changedResource struct {
	Number     string       `json:"number" jsonschema:"of the container, or bill of lading"`
	ID         string       `json:"id"`
	Containers []string     `json:"containers,omitempty"`
	Situation  string       `json:"situation,omitempty"`
	Changes    []changeItem `json:"changes"`
}

type changeItem struct {
	At   string     `json:"at" jsonschema:"when the copy recorded it"`
	Kind changeKind `json:"kind"`
	What string     `json:"what"`
	From string     `json:"from,omitempty"`
	To   string     `json:"to,omitempty"`
}

// Bounds of the tool.
const (
	usualChanges = 200
	mostChanges  = 1000
	mostFeed     = 300_000 // changes of the feed that one call reads
)

func (s *server) changes(ctx context.Context, in changesInput) (*changesAnswer, error) {
	if in.Limit == 0 {
		in.Limit = usualChanges
	}
	if in.Limit < 1 || in.Limit > mostChanges {
		return nil, mend("limit", "must be from 1 to %d", mostChanges)
	}
	from, since, err := s.position(ctx, in.Since)
	if err != nil {
		return nil, err
	}
	f := &feedReader{server: s, kinds: in.Kinds, limit: in.Limit, available: map[string][]mirror.Change{}, etas: map[string][]mirror.Change{}, a: &changesAnswer{Since: since, Limit: in.Limit, Position: string(from)}}
	if len(f.kinds) == 0 {
		f.kinds = slices.DeleteFunc(slices.Clone(changeKinds), func(k changeKind) bool { return k == "notice" })
	}
	if f.only, err = s.idsOf(ctx, in.Numbers); err != nil {
		return nil, err
	}
	if err := f.read(ctx, from); err != nil {
		return nil, explainPosition(err)
	}
	return f.a, f.name(ctx)
}

var (
	lengthOfTime = regexp.MustCompile(`^([0-9]{1,5})(m|h|d)$`)
	isPosition   = regexp.MustCompile(`^[0-9]+-[0-9a-f]{16}$`)
)

// position returns the position that an argument names, and in words since when that is.
func (s *server) position(ctx context.Context, text string) (at mirror.Position, since string, err error) {
	text = strings.TrimSpace(text)
	if isPosition.MatchString(text) {
		return mirror.Position(text), "the position", nil
	}
	var from time.Time
	if found := lengthOfTime.FindStringSubmatch(text); found != nil {
		n, _ := strconv.Atoi(found[1]) // on the clock that records changes, also of a simulated account
		from = time.Now().Add(-time.Duration(n) * map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[found[2]])
	} else if from, err = momentOf("since", text, time.UTC, false); err != nil {
		return "", "", mend("since", "must be a length of time such as 24h or 7d, a day such as 2026-11-20, a time such as 2026-11-20T08:00:00-08:00, or a position that an answer gave, not %s", quoted(text))
	}
	at, err = s.Mirror.PositionAt(ctx, from)
	return at, instant(from), err
}

// explainPosition explains why a feed cannot be followed.
func explainPosition(err error) error {
	if errors.Is(err, mirror.ErrPositionLost) {
		return mend("since", "the feed does not have this position any more, because the database was restored or old changes were deleted; ask since a time, and read what you know again")
	}
	return err
}

// idsOf returns the ids of the containers and shipments that numbers name, and nil for no numbers.
func (s *server) idsOf(ctx context.Context, numbers []string) (map[string]bool, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	if len(numbers) > mostInputs {
		return nil, mend("numbers", "must have at most %d, not %d", mostInputs, len(numbers))
	}
	found, err := s.Reader.Find(ctx, numbers...)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for i := range found {
		if len(found[i].Items) == 0 {
			m := missingOf(&found[i])
			return nil, mend("numbers", "%s: %s%s", quoted(m.Input), m.Why, before("; nearest tracked numbers: ", numberTexts(m.Nearest)))
		}
		for _, item := range found[i].Items {
			addIDs(ids, item)
		}
	}
	return ids, nil
}

// addIDs adds the ids of a thing: of a container and its shipment, of a shipment and its
// containers.
func addIDs(ids map[string]bool, item mirror.FoundItem) {
	if c := item.Container; c != nil {
		ids[c.ID], ids[c.Shipment.ID()] = true, true
	}
	if of := item.Shipment; of != nil {
		ids[of.ID] = true
		for _, id := range of.Containers.IDs() {
			ids[id] = true
		}
	}
}

func (a *changesAnswer) write(p *page) {
	p.line("Since %s: %s, %d shown.", a.Since, plural(a.Total, "change", "changes"), a.Shown)
	for _, list := range [][]changedResource{a.Containers, a.Shipments} {
		for _, c := range list {
			p.line("%s%s%s:", numberText(c.Number), before(", now ", words(c.Situation)), before(" with ", numberTexts(c.Containers)))
			for _, item := range c.Changes {
				p.line("  %s %s %s%s.", item.At, words(item.Kind), quoted(item.What), before(" ", movement(item)))
			}
		}
	}
	p.line("Position: %s.", a.Position)
}

func movement(item changeItem) own {
	if item.From == "" && item.To == "" {
		return ""
	}
	return quoted(known(item.From)) + " to " + quoted(known(item.To))
}
