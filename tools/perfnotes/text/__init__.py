"""Markdown as text with places: what stands where, without turning it into HTML."""
