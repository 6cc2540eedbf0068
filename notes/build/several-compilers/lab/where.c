// A library that says from which folder it was loaded. NUMBER is 1 in one/ and 2 in two/.
int where(void) { return NUMBER; }
