#!/usr/bin/env bash
# Coverage-guided fuzzing with libFuzzer. SwiftPM cannot link it, so the modules are compiled once more, here, with its
# instruments in them; what they depend on is taken from the build of attlas-fuzz that make fuzz makes before.
#
#   SECONDS_EACH   how long each target runs (60)
#   TARGETS        which of them (all)
#   SANITIZE       "fuzzer" or "fuzzer,address" (the latter)
#   SEEDS          more folders with captures, whose files stay where they are
#   OUT            where corpora, logs and what broke go (.build/fuzz)
#   BUILD_ONLY     stop before fuzzing
#   RUN_ONLY       take what was built before
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD
out=$(realpath -m "${OUT:-.build/fuzz}")
sanitize=${SANITIZE:-fuzzer,address}
seconds=${SECONDS_EACH:-60}
targets=${TARGETS:-captures texts pipeline screen advertising pairing dissection definitions code notes filter imports}

release=$root/.build/release
objects=$out/objects-${sanitize//,/-}
fuzzer=$out/attlas-libfuzzer-${sanitize//,/-}
mkdir -p "$objects"

build() {
    # In the order of the pipeline: each imports only what stands before it.
    modules="AttlasWire AttlasLocks AttlasSystem AttlasCapture AttlasTrace AttlasDissection AttlasDefinitionFiles AttlasGenerate AttlasDefinitions AttlasProcedures AttlasValues AttlasAnonymize AttlasIncidents AttlasFilter AttlasInference AttlasMetrics AttlasLint AttlasText AttlasConversation AttlasDocuments AttlasTables AttlasPage AttlasScreen AttlasColumns AttlasInput AttlasImport AttlasFuzz"
    maps=()
    for map in "$root"/Sources/*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
    for module in CMonitor CConfinement; do
        maps+=(-Xcc "-fmodule-map-file=$release/$module.build/module.modulemap" -I "$root/Sources/$module/include")
    done
    maps+=(-I "$root/.build/checkouts/swift-numerics/Sources/_NumericsShims/include")
    swiftcommand=(swiftc -O -g -wmo -parse-as-library -swift-version 6 -package-name attlas -enable-experimental-feature Lifetimes
        "-sanitize=$sanitize" -I "$objects" -I "$release/Modules" "${maps[@]}")
    isStale=
    for module in $modules; do
        # What plugins made has the folder's name in its path.
        mapfile -t sources < <(find "$root/Sources/$module" "$root"/.build/plugins/outputs/*/"$module"/destination -name '*.swift' 2> /dev/null)
        newer=$(find "${sources[@]}" -newer "$objects/$module.swiftmodule" 2> /dev/null | head -n 1 || true)
        if [ -z "$isStale" ] && [ -e "$objects/$module.swiftmodule" ] && [ -z "$newer" ]; then continue; fi
        isStale=yes
        echo "compiling $module"
        # An object for each file, where the compiler stands: so it takes as many threads as it is given.
        rm -rf "${objects:?}/$module"
        mkdir "$objects/$module"
        (cd "$objects/$module" && "${swiftcommand[@]}" -num-threads "$(nproc)" -emit-module \
            -emit-module-path "$objects/$module.swiftmodule" -module-name "$module" -c "${sources[@]}")
    done
    echo "linking"
    others=()
    for library in Histogram RealModule ComplexModule Numerics CMonitor CConfinement; do
        mapfile -t -O "${#others[@]}" others < <(find "$release/$library.build" -name '*.o')
    done
    "${swiftcommand[@]}" -module-name AttlasLibFuzzer Tests/Fuzz/Entry.swift "$objects"/Attlas*/*.o "${others[@]}" -o "$fuzzer" \
        -larchive -lpcap -lz -llzma -l:libyaml.a
}

[ -n "${RUN_ONLY:-}" ] || build
[ -z "${BUILD_ONLY:-}" ] || exit 0

# What is wrong is said by the fuzzer; Swift's own report of a crash takes a minute. Makefile, sanitize, says why no leaks.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
status=0
for target in $targets; do
    corpus=$out/corpus/$target
    mkdir -p "$corpus" "$out/seeds/$target" "$out/found"
    if [ -z "$(ls -A "$out/seeds/$target")" ]; then
        case $target in
            definitions)
                # The examples of the format's page: each construct is in one.
                mkdir -p "$out/blocks"
                awk -v folder="$out/blocks" '/^```yaml/ { file = folder "/" ++n ".yaml"; next } /^```/ { file = "" }
                    file { print > file }' Documentation/dissectors.md
                seeds=(Dissectors/*.yaml Dissectors/*/*.yaml "$out"/blocks/*.yaml)
                ;;
            filter) seeds=(Tests/Fuzz/filters.txt) ;;
            dissection) seeds=(Captures/heart-rate.btsnoop) ;;
            imports) seeds=(Tests/Fuzz/gatt-db/* Captures/heart-rate.btsnoop) ;;
            captures) seeds=(Captures/*.btsnoop Captures/*.pcap Captures/malformed/*.*) ;;
            *) seeds=(Captures/*.btsnoop) ;;
        esac
        for folder in ${SEEDS:-}; do
            case $target in captures | texts | pipeline | screen | advertising | pairing) seeds+=("$folder"/*.*) ;; esac
        done
        "$release/attlas-fuzz" seeds "$target" "${seeds[@]}" --into "$out/seeds/$target"
        [ ! -e "Tests/Fuzz/corpus/$target.zip" ] || python3 -m zipfile -e "Tests/Fuzz/corpus/$target.zip" "$out/seeds/$target"
    fi
    length=4096
    case $target in captures | texts | imports | definitions) length=16384 ;; filter | dissection) length=1100 ;; esac
    echo "$target, $seconds s: log in $out/$target.log"
    ATTLAS_FUZZ_TARGET=$target "$fuzzer" "$corpus" "$out/seeds/$target" -max_total_time="$seconds" -max_len=$length \
        -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 -artifact_prefix="$out/found/$target-" \
        -dict=Tests/Fuzz/dictionary.txt > "$out/$target.log" 2>&1 || status=1
    grep -E "^attlas:|stat::number_of_executed|ERROR|SUMMARY|Fatal error" "$out/$target.log" | tail -n 4 || true
done
[ $status = 0 ] || echo "what broke is in $out/found; attlas-fuzz run TARGET FILE repeats it"
exit $status
