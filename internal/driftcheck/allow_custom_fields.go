package main

import "slices"

func allowedCustomFields() []allowed {
	return slices.Concat(
		allowEach("attribute custom_field", "in a sample of a later version of the service's reference pages", "updated_at"),
		allowEach("attribute custom_field_definition", seenLive, "template_id", "created_at", "updated_at"),
		allowEach("attribute custom_field_definition", inChangelog, "sensitive", "reference_number"),
		allowEach("relationship custom_field_definition", seenLive, "account", "fields", "options"),
	)
}
