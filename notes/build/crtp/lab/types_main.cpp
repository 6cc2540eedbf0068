// Makes a program of types.cpp, so that what a class takes can be counted after linking.
void run(int which, const float *__restrict in, float *__restrict out, int n);

int main(int argc, char **)
{
    float in[4] = {}, out[4];
    run(argc - 1, in, out, 4);
    return out[0] != 0;
}
