// A plugin that needs libwhere, and names the folder one/ for it.
int where(void);

int plugin(void) { return where(); }
