# The same matrix with more and more zeros: as it lies in memory, and compressed by gzip.
echo '$ for s in 0 50 90 95; do ./prune write $s > w$s; gzip -9 -k w$s; done; wc -c w*'
for s in 0 50 90 95; do ./prune write $s > w$s; gzip -9 -k w$s; done; wc -c w*
size() { wc -c < $1; }
echo "{\"raw_0\": $(size w0), \"raw_90\": $(size w90), \"gzip_0\": $(size w0.gz), \"gzip_50\": $(size w50.gz), \"gzip_90\": $(size w90.gz)}"
