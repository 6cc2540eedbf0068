# Shows what four builds of same.c print.
echo '$ gcc -O3 -o same same.c && ./same'
gcc -O3 -o same same.c && ./same
echo '$ gcc -O3 -march=x86-64-v3 -o same same.c && ./same'
gcc -O3 -march=x86-64-v3 -o same same.c && ./same
echo '$ gcc -O3 -march=x86-64-v3 -ffp-contract=off -o same same.c && ./same'
gcc -O3 -march=x86-64-v3 -ffp-contract=off -o same same.c && ./same
echo '$ gcc -O3 -ffast-math -o same same.c && ./same'
gcc -O3 -ffast-math -o same same.c && ./same
