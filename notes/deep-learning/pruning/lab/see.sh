# Instructions of one function: the same for a masked matrix, fewer if rows are gone.
count() { valgrind --tool=callgrind --toggle-collect=$1 --callgrind-out-file=/dev/null ./prune count $2 $3 2>&1 | grep Collected | cut -d' ' -f2-; }
echo '$ count() { valgrind --tool=callgrind --toggle-collect=$1 --callgrind-out-file=/dev/null ./prune count $2 $3 2>&1 | grep Collected | cut -d" " -f2-; }'
for each in "dense_vector vector 0" "dense_vector vector 90" "csr_scalar csr 50" "csr_scalar csr 90" "dense_vector rows 50"; do
    echo "\$ count $each"
    count $each
done
