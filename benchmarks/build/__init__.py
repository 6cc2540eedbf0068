"""What building a site costs, beside other generators on the same notes."""
