package main

func allowedDocuments() []allowed {
	return append(
		allowEach("relationship document", "an include value of the document, which calls it an alias of "+
			"last_document_representation; read in case responses have a relationship with this name", "current_extraction"),
		allowEach("enum .degrees", "the three angles are a member of a plain request, not an attribute of a resource; "+
			"the library checks them before it sends", allValues)...,
	)
}
