"""What a page costs its reader: Lighthouse, the bytes of a first visit, and how it looks."""
