cd /usr || exit
export NAME=Ann
echo "in the script: $PWD, $NAME"
