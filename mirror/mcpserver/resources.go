package mcpserver

// addResources adds the pages that an agent may read.
func (s *server) addResources() {}
