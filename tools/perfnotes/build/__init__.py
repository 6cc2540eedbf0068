"""The engine turns the staged tree into HTML: MkDocs with Material, held to a safe output."""
