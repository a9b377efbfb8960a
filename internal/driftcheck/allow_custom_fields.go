package main

import "slices"

func allowedCustomFields() []allowed {
	return slices.Concat(
		each("attribute custom_field_definition", seenLive, "template_id", "created_at", "updated_at"),
		each("attribute custom_field_definition", inChangelog, "sensitive", "reference_number"),
		each("relationship custom_field_definition", seenLive, "account", "fields", "options"),
	)
}
