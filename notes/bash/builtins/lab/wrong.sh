#!/bin/bash
cd build
export $NAME
f() { local day=$(date); echo "$day"; }
let i=i+1
alias ll='ls -l'; ll
sudo cd /root
(cd src && found=1); echo "$found"
f; cd sub; make; cd ..
