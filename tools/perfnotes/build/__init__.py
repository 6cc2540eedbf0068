"""The build: turns the staged tree into HTML, by MkDocs with Material, and refuses unsafe HTML."""
