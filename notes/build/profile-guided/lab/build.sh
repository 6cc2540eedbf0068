#!/bin/sh
# Builds the program in many ways, each in a folder of its own that has a copy of the sources.
# What the compiler says about a profile goes into a file .log beside the folder.

set -eu

folder() { # FOLDER: begins it
    mkdir -p "$1"
    cp work.h work.c apply.c sum.c filter.c wide.c "$1"
}
compile() { # FOLDER OPTIONS...
    (cd "$1" && shift && gcc -ftrack-macro-expansion=0 "$@" -o work work.c apply.c sum.c filter.c wide.c)
}
train() { # FOLDER INPUT: one run of each kind
    for kind in apply sum filter wide; do (cd "$1" && ./work "$kind" "$2" 100 > /dev/null); done
}
use() { # FOLDER FROM OPTIONS...: builds FOLDER with the profile that the runs in FROM left
    cp "$2"/*.gcda "$1"
    name=$1
    shift 2
    compile "$name" -O2 -fprofile-use "$@" 2> "$name.log"
}

folder plain && compile plain -O2
folder flags && compile flags -O3 -funroll-loops

for input in first second both; do
    folder "gen_$input" && compile "gen_$input" -O2 -fprofile-generate
    case $input in
        both) train gen_both first && train gen_both second ;;
        *) train "gen_$input" "$input" ;;
    esac
    folder "use_$input" && use "use_$input" "gen_$input"
done

# Sources that change after the run.
changed() { # NAME EXPRESSION-OF-SED
    folder "$1" && sed -i "$2" "$1/wide.c"
}
changed comment '1i /* A comment. */'
changed statement 's/if (flag\[n\]) {/x += n; if (flag[n]) {/'
changed branch 's/if (flag\[n\]) {/if (x == 7) x += flag[255 - n]; if (flag[n]) {/'
changed reversed 's/if (flag\[n\])/if (!flag[n])/'
changed moved 's/if (flag\[n\]) {/\\\n        if (!flag[n]) {/' # reversed, and one line more
changed renamed 's/step##n/stage##n/'
for name in comment statement branch reversed moved renamed; do
    use "$name" gen_first || echo "not built" >> "$name.log"
    cp "$name.log" "$name.first.log"
    use "$name" gen_first -Wno-error=coverage-mismatch
done

# The same sources, but the program has another name.
folder othername
cp gen_first/*.gcda othername
(cd othername && gcc -O2 -fprofile-use -o other work.c apply.c sum.c filter.c wide.c) 2> othername.log
mv othername/other othername/work

gcc -O2 -fprofile-generate -o ends ends.c

# BOLT. Debian's command of version 19 looks for its library beside the link, so call the file itself.
command -v llvm-bolt-19 > /dev/null || exit 0
bolt=$(readlink -f "$(command -v llvm-bolt-19)")
layout="-reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold"
for name in bolt bolt_statement bolt_branch bolt_reversed; do
    folder "$name"
    [ "$name" = bolt ] || cp "${name#bolt_}/wide.c" "$name"
    compile "$name" -O2 -fno-reorder-blocks-and-partition -Wl,--emit-relocs
    mv "$name/work" "$name/linked"
done
instrument() { # FOLDER: a profile of wide, of the first input
    "$bolt" "$1/linked" -instrument -instrumentation-file="$PWD/$1/profile" \
        -instrumentation-binpath="$PWD/$1/counting" -o "$1/counting" > "$1.count.log" 2>&1
    "$1/counting" wide first 100 > /dev/null
    "$bolt" "$1/linked" -data="$1/profile" -w "$1/profile.yaml" -o "$1/unused" > /dev/null 2>&1
}
rewrite() { # FOLDER OUTPUT OPTIONS...
    folder_=$1 output=$2
    shift 2
    # shellcheck disable=SC2086 # several options
    "$bolt" "$folder_/linked" -o "$folder_/$output" $layout "$@" > "$folder_.$output.log" 2>&1
}
instrument bolt
rewrite bolt work -data=bolt/profile -dyno-stats
for name in bolt_statement bolt_branch bolt_reversed; do
    rewrite "$name" work -data=bolt/profile
    rewrite "$name" inferred -data=bolt/profile.yaml -infer-stale-profile
done

# BOLT on top of the compiler's profile.
folder bolt_pgo
cp gen_first/*.gcda bolt_pgo
compile bolt_pgo -O2 -fprofile-use -fno-reorder-blocks-and-partition -Wl,--emit-relocs
mv bolt_pgo/work bolt_pgo/linked
instrument bolt_pgo
rewrite bolt_pgo work -data=bolt_pgo/profile
