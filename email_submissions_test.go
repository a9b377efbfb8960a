package terminal49_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestEmailSubmissions_Decode(t *testing.T) {
	client, _ := cannedPapers(t, 200, `{"data":{"id":"e1","type":"email_submission","attributes":{
		"subject":"Papers","body":"Dear all","from":["a@example.com"],"to":["b@example.com"],"cc":["c@example.com"],
		"sent_at":"2026-03-24T10:00:00Z","message_id":"m1","in_reply_to":"m0","references":["m0"],"content_type":"text/plain",
		"documents_count":1,"created_at":"2026-03-24T10:00:01Z","updated_at":"2026-03-24T10:00:02Z"},
		"relationships":{"account":{"data":{"id":"a1","type":"account"}},"user":{"data":{"id":"u1","type":"user"}},
			"documents":{"data":[{"id":"d1","type":"document"}]}}},
		"included":[{"id":"d1","type":"document","attributes":{"name":"Invoice","source":"upload","document_type":null},
			"relationships":{"last_document_representation":{"data":null}}}]}`)
	e, err := client.EmailSubmissions.Get(t.Context(), paperID, nil, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, []string{"Papers", "Dear all", "m1", "m0", "text/plain"},
		[]string{e.Subject, e.Body, e.MessageID, e.InReplyTo, e.ContentType})
	require.Equal(t, [][]string{{"a@example.com"}, {"b@example.com"}, {"c@example.com"}, {"m0"}},
		[][]string{e.From, e.To, e.CC, e.References})
	require.Equal(t, terminal49.Some(1), e.DocumentsCount)
	require.Equal(t, "2026-03-24 10:00 UTC", e.SentAt.String())
	require.Equal(t, "u1", e.User.ID())
	documents, complete := e.Documents.Values()
	require.True(t, complete)
	// A document from an e-mail may have the source "upload".
	require.Equal(t, terminal49.DocumentSourceUpload, documents[0].Source)
	require.Equal(t, terminal49.RelationshipNull, documents[0].Extraction.State())
}

func TestEmailSubmissions_Intake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		email, documents := srv.ReceiveEmail(
			terminal49test.EmailSubmission{Subject: "Arrival", Body: "Please see attached.",
				From: []string{"line@example.com"}},
			terminal49test.Document{FileName: "arrival notice.pdf", Content: []byte("1")},
			terminal49test.Document{FileName: "invoice.pdf", Content: []byte("2")},
		)
		time.Sleep(time.Minute)
		got, err := client.EmailSubmissions.Get(t.Context(), email, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(2), got.DocumentsCount)
		attached, complete := got.Documents.Values()
		require.True(t, complete, "documents are included by default")
		require.Equal(t, "arrival_notice", attached[0].DocumentType)
		_, extracted := attached[0].Extraction.Value()
		require.True(t, extracted)
		require.Empty(t, attached[0].FileName, "fewer attributes than the document's own")

		d, err := client.Documents.Get(t.Context(), documents[1],
			&terminal49.DocumentGetParams{Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeEmailSubmission}})
		require.NoError(t, err)
		require.Equal(t, terminal49.DocumentSourceEmail, d.Source)
		from, ok := d.EmailSubmission.Value()
		require.True(t, ok)
		require.Equal(t, "Please see attached.", from.BodyPreview)
		require.Empty(t, from.Body)

		require.NoError(t, client.Documents.Delete(t.Context(), documents[0]))
		got, err = client.EmailSubmissions.Get(t.Context(), email, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(1), got.DocumentsCount)
		_, err = client.EmailSubmissions.Get(t.Context(), paperID, nil)
		require.ErrorContains(t, err, "Couldn't find EmailSubmission")
		srv.CheckViolations(t)
	})
}
