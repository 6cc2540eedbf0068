/* A library that can say where its own function is. */
void *address(void);

int answer(void)
{
    return 42;
}

void *address(void)
{
    return (void *)answer;
}
