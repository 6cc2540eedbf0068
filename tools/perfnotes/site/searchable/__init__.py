"""What can be found: one document for each page of the site."""
