"""From the linked notes to staged pages: page kinds, rendering, and the words of the site."""
