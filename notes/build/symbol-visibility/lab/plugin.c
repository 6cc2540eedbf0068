void host_log(const char *text);

void plugin_start(void)
{
    host_log("the plugin runs");
}
