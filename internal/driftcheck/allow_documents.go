package main

func allowedDocuments() []allowed {
	return append(
		each("relationship document", "an include value of the document, which calls it an alias of "+
			"last_document_representation; read in case answers carry the relationship under it", "current_extraction"),
		each("enum .degrees", "the three angles are a request's plain member and no resource's attribute; "+
			"the library checks them before it sends", allValues)...,
	)
}
