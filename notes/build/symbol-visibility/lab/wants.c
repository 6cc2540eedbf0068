/* A program that uses a function which is not part of the interface. */
double add_up(const double *values, int count);

int main(void)
{
    double values[] = {1, 2, 6};
    return add_up(values, 3) != 9;
}
