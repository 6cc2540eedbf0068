"""The documents that the search finds: mostly one for each page of the site."""
