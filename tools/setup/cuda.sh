#!/bin/sh
# Installs NVIDIA's compiler, assembler and disassembler for the labs that read what they make; no GPU
# is needed. They come as hash-pinned wheels (0.4 GB) into .venv, whose bin/ gets a starter for each.
set -eu
cd "$(dirname "$0")/../.."
. tools/setup/apt.sh

key=$(cksum <requirements/cuda.txt)
if [ "$(cat .venv/.stamp-cuda 2>/dev/null)" != "$key" ] || [ ! -x .venv/bin/nvcc ]; then
    echo "perfnotes: installing the CUDA compiler into .venv (once)"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes \
        --only-binary :all: -r requirements/cuda.txt ||
        stop 'the CUDA compiler is not complete; the message above says why. Then run it again.'
    programs=$(.venv/bin/python -c 'import nvidia.cu13 as cuda; print(cuda.__path__[0])')/bin
    for name in nvcc ptxas nvdisasm cuobjdump; do
        # Not a link: nvcc looks for its headers beside the name that it was called by.
        printf '#!/bin/sh\nexec "%s/%s" "$@"\n' "$programs" "$name" >".venv/bin/$name"
        chmod +x ".venv/bin/$name"
    done
    echo "$key" >.venv/.stamp-cuda
fi
