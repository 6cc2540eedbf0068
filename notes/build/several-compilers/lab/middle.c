// A library that needs libwhere, and says nothing about where that lies.
int where(void);

int middle(void) { return where(); }
