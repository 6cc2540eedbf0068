"""The engine turns the staged tree into HTML: MkDocs with Material, and the safety of its output."""
