"""What an assistant asks while it ports code: a server of the Model Context Protocol."""
