# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
#
# What the scripts share. Sourced, not run: goes to the package's root and gives `step`, `strict`, `without_traits`,
# `release`, `release_tests`, `debug_tests`, `on_exit`, `without_index`, `lint`, `find_module_maps`, `run_example`,
# `run_briefly`, `run_tests`, `run_tests_by_target`, `show_failed_tests`, `run_example_tests`, `require_packages` and
# `require_test_libraries`.
# No script names a path of its machine; everything is relative to the package's root.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# SwiftPM (6.3) passes several traits in the order of a hash that differs for each process, so that a build of the same
# sources would compile everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# Says on the error output what comes next, and the minutes and seconds since the first script began.
if [[ ! ${BRIDGE_BEGAN:-} =~ ^[0-9]+$ ]]; then BRIDGE_BEGAN=$(date +%s); fi
export BRIDGE_BEGAN
step() {
    local seconds=$(( $(date +%s) - BRIDGE_BEGAN ))
    printf '\n==> %s (%d:%02d)\n' "$*" $(( seconds / 60 )) $(( seconds % 60 )) >&2
}

# How the package and its tests are built: a warning is an error. With lines for backtraces, but without what only a
# debugger needs, which takes a tenth of the time, and without the index, which takes a quarter; `swift build` has both.
# To build tests needs `without_index` then.
without_traits=(--disable-index-store -Xswiftc -warnings-as-errors -Xswiftc -gline-tables-only -Xcc -g1 -Xcxx -g1)
strict=(--enable-all-traits "${without_traits[@]}")
# The test targets (BRIDGE_TEST_TARGETS of Package.swift) that Scripts/test runs in release, and those that it runs in
# debug: to compile all of them twice takes minutes more.
release_tests="AsyncBridgeTests AsyncBridgeFuturesTests CoroutinesTests CStackSwitchTests"
debug_tests=""
for folder in Tests/*Tests; do
    if [[ $folder == Tests/AsyncBridgeTests || " $release_tests " != *" ${folder#Tests/} "* ]]; then
        debug_tests+="${debug_tests:+ }${folder#Tests/}"
    fi
done
release=(--configuration release --scratch-path .build-stress "${strict[@]}")

# Runs a command when the script ends, besides those that were given before.
on_exit_commands=()
on_exit() {
    on_exit_commands+=("$1")
    trap 'for command in "${on_exit_commands[@]}"; do eval "$command"; done' EXIT
}

# Until the script ends, lets SwiftPM build the tests in the given folders without an index (XCTMain.swift).
without_index() {
    local folder
    for folder in "$@"; do
        # A script that calls this one may have put it there.
        if [[ -e $folder/XCTMain.swift ]]; then continue; fi
        # With its time, so that it is compiled once.
        cp -p Scripts/XCTMain.swift "$folder/XCTMain.swift"
        on_exit "rm -f '$folder/XCTMain.swift'"
    done
}

# Checks the format of the given files and folders, or of all sources; then of all the length of their lines, and that
# no merge is unfinished.
lint() {
    local sources=("$@") folder
    if (( $# == 0 )); then
        sources=(Package.swift)
        for folder in Sources Tests Benchmarks Snippets Examples Tools; do
            if [[ -d $folder ]]; then sources+=("$folder"); fi
        done
    fi
    swift format lint --strict --parallel --recursive "${sources[@]}" || return 1
    # Without git the searches below would find nothing.
    if ! git rev-parse --is-inside-work-tree >/dev/null; then
        echo "lint: needs a git clone, and git" >&2
        return 1
    fi
    # The formatter leaves comments and texts as they are. In UTF-8, so that characters count and not their bytes. Of
    # scripts, examples and tools only the comments: their data may be longer.
    if {
        git grep --untracked --line-number '' -- {Sources,Tests,Benchmarks,Snippets}/{'*.swift','*.c','*.h','*.S'}
        git grep --untracked --line-number --extended-regexp '^[[:space:]]*(//|# )' -- \
            Scripts {Examples,Tools}/{'*.swift','*.c','*.h'}
    } | LC_ALL=C.UTF-8 grep --extended-regexp '^[^:]+:[0-9]+:.{121}'; then
        echo "lint: the lines above are longer than 120 columns" >&2
        return 1
    fi
    check_safety || return 1
    check_time_limits || return 1
    check_orders || return 1
    check_locks || return 1
    # What tests share is in Tests/TestSupport. Only what is compiled in two language modes is there twice: SwiftPM
    # gives no source to two targets.
    if git ls-files --stage -- Tests | grep '^120000' \
        | grep --invert-match --extended-regexp '/(HandlerShapes\.swift|Swift(Five|Six)/Client|BridgedInSwift(5|5Nonsending|6))$'; then
        echo "lint: the symbolic links above share sources of tests: put them into Tests/TestSupport" >&2
        return 1
    fi
    # What a merge left behind, in any file.
    if git grep --line-number --untracked --extended-regexp '^(<<<<<<<|>>>>>>>|[|]{7})( |$)'; then
        echo "lint: the lines above are of a merge that was not finished" >&2
        return 1
    fi
}

# Fails if a file of the sources has unsafe code, or a type is `@unchecked Sendable`, and no comment says in a `Safe:`
# line why it is right: for the code, anywhere in its file; for the type, directly above or inside.
check_safety() {
    git ls-files -z --cached --others --exclude-standard -- 'Sources/*.swift' | while IFS= read -r -d '' file; do
        # A file that was removed is listed until that is committed.
        if [[ -e $file ]]; then printf '%s\0' "$file"; fi
    done | xargs -0 awk '
        function leave_file() {
            leave_type()
            if (unsafe && !safe) fail(name ":" unsafe ": unsafe code")
        }
        function leave_type() {
            if (type && !type_safe) fail(name ":" type ": @unchecked Sendable")
            type = 0
        }
        function fail(what) { print what " without a \047Safe:\047 line"; failed = 1 }
        FNR == 1 { leave_file(); name = FILENAME; unsafe = safe = 0; above = 0 }
        /^[[:space:]]*\/\// {
            if (/Safe[:,]/) { safe = above = 1; if (type) type_safe = 1 }
            next
        }
        {
            # The comment that follows the first line of a type has ended.
            if (type && FNR > type) leave_type()
            code = $0
            gsub(/"([^"\\]|\\.)*"/, "", code)
            sub(/\/\/.*/, "", code)
            if (!unsafe && code ~ /(^|[^[:alnum:]_@.`])unsafe([^[:alnum:]_:`]|$)|@safe/) unsafe = FNR
            if (code ~ /@unchecked Sendable/) { type = FNR; type_safe = above }
            # An attribute may stand between a comment and its type.
            if (code !~ /^[[:space:]]*@[^{]*$/) above = 0
        }
        END { leave_file(); exit failed }' && return
    echo "lint: say in a comment why the code above is safe" >&2
    return 1
}

# Fails if a file uses an atomic with a relaxed order, and the table in AsyncBridgeCore's README.md does not
# name it, or its module.
check_orders() {
    local file name module failed=0 table
    table=$(sed -n '/^## Orders of memory/,$p' Sources/AsyncBridgeCore/README.md)
    while IFS= read -r file; do
        name=$(basename "${file%.swift}")
        module=${file#Sources/}
        if [[ $table != *"\`$name\`"* && $table != *"\`${module%%/*}\`"* ]]; then
            echo "$file: a relaxed order of memory without a reason in Sources/AsyncBridgeCore/README.md, 'Orders of memory'" >&2
            failed=1
        fi
    done < <(git grep --untracked --files-with-matches --ignore-case --extended-regexp \
        'ordering: \.relaxed|memory_order_relaxed|__ATOMIC_RELAXED' -- Sources)
    return "$failed"
}

# Fails if a module uses `Mutex` and has no link to the one for ThreadSanitizer: in that build two have the name there.
check_locks() {
    local folder
    for folder in Sources/*/; do
        if [[ $folder != Sources/AsyncBridgeCore/ && ! -e ${folder}Mutex+ThreadSanitizer.swift ]] \
            && git grep --untracked --quiet --word-regexp Mutex -- "$folder*.swift"; then
            echo "lint: $folder needs a link: ln -s ../AsyncBridgeCore/Diagnostics/Mutex+ThreadSanitizer.swift $folder" >&2
            return 1
        fi
    done
}

# Fails if a test has no time limit: its suite must have one, or the outermost suite around that. A test that waits
# forever would keep all others from being reported. Nor may one be shorter than five minutes: beside a thousand others
# a test may begin after one.
check_time_limits() {
    local tests=('Tests/*Tests/*.swift' 'Tools/Tests/*Tests/*.swift' 'Examples/*/Tests/*.swift')
    if git grep --untracked --line-number --extended-regexp 'timeLimit\(\.(seconds|minutes\([1-4]\))' -- \
        "${tests[@]}"; then
        echo "lint: the time limits above are too short for a busy machine: .minutes(10) is usual" >&2
        return 1
    fi
    git ls-files -z --cached --others --exclude-standard -- "${tests[@]}" | while IFS= read -r -d '' file; do
        if [[ -f $file && ! -L $file ]]; then printf '%s\0' "$file"; fi
    done | xargs -0 awk '
        FNR == 1 {
            match("/" FILENAME, /\/Tests\/[^\/]+/)
            target = substr("/" FILENAME, 1, RSTART + RLENGTH - 1)
            suite = attributes = ""
        }
        # Attributes at the top level, of one line or several.
        suite == "" && (/^@/ || attributes != "") { attributes = attributes $0 }
        /^[^ })#\/]/ {
            code = $0
            gsub(/"([^"\\]|\\.)*"/, "", code)
            if (match(code, /(^| )(struct|class|enum|actor|extension) ([[:alnum:]_]+|`[^`]+`)/)) {
                suite = substr(code, RSTART, RLENGTH)
                sub(/^ ?[a-z]+ /, "", suite)
                suite = target "/" suite
                if ((attributes $0) ~ /\.timeLimit\(/) limited[suite] = 1
                attributes = ""
            }
        }
        /^[[:space:]]*@Test/ {
            if (suite == "" && attributes !~ /\.timeLimit\(/) tests["" FNR] = FILENAME
            else if (!(suite in tests)) tests[suite] = FILENAME
        }
        # A type of one line ends in it.
        /^}/ || /^[^ @].*[{].*[}]$/ { suite = attributes = "" }
        END {
            for (suite in tests) if (!(suite in limited)) { print tests[suite] ": " suite; failed = 1 }
            exit failed
        }' && return
    echo "lint: the suites above need a time limit: @Suite(.timeLimit(.minutes(10)))" >&2
    return 1
}

# Lets a compiler find the modules of the named C targets in a build: sets `module_maps` to the options for it.
find_module_maps() {
    local products=$1 library map
    shift
    module_maps=()
    for library in "$@"; do
        # The library's own map, or the one that SwiftPM has made for it.
        map=Sources/$library/include/module.modulemap
        if [[ ! -e $map ]]; then map=$products/$library.build/module.modulemap; fi
        module_maps+=(-Xcc "-fmodule-map-file=$map" -Xcc "-ISources/$library/include")
    done
}

# Builds a command of the examples, and becomes it: in the given folder, from which files are named.
run_example() {
    local folder=$1 command=$2 programs
    shift 2
    # As Scripts/demo builds it.
    local build=(--package-path Examples --product "$command" --disable-index-store)
    # SwiftPM does not always notice files that came to or left a package on which another one depends by path.
    touch Examples/Package.swift
    swift build "${build[@]}" >&2
    programs=$(cd "$(swift build "${build[@]}" --show-bin-path)" && pwd)
    cd "$folder"
    exec "$programs/$command" "$@"
}

# Runs a program that ends within seconds, and stops it after a minute where the system can.
run_briefly() {
    if command -v timeout >/dev/null; then timeout --foreground 60 "$@"; else "$@"; fi
}

# Runs tests that were built with the same arguments, behind the command that `before_tests` names, if any. It does
# not build: in release, `swift test` would do it all again. Stopped after `test_limit` seconds, where the system can: a
# test that waits forever must fail, with what was printed until then. The signal is the one after which SwiftPM ends
# what it started.
#
# SWIFT_BACKTRACE is left alone: Swift Testing turns backtraces off in exit tests only where nobody has set it, and a
# backtracer that waits forever, which happens, keeps the pipes of its test open.
before_tests=()
test_limit=900
run_tests() {
    local command=(${before_tests[@]+"${before_tests[@]}"} swift test --skip-build --disable-xctest --enable-swift-testing "$@")
    local status=0 log
    log=$(mktemp)
    # In the foreground: elsewhere Ctrl-C would not reach it.
    if command -v timeout >/dev/null; then
        command=(timeout --foreground --signal=INT --kill-after=60 "$test_limit" "${command[@]}")
    fi
    "${command[@]}" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
    # A filter that fits nothing is no failure to SwiftPM.
    if (( status == 0 )) && ! grep --quiet --extended-regexp 'Test run with [1-9][0-9]* tests?' "$log"; then
        echo "No test was run: swift test $*" >&2
        status=1
    fi
    if (( status != 0 )); then show_failed_tests "$log"; fi
    rm -f "$log"
    if (( status == 124 || status == 137 )); then
        echo "The tests did not end within $((test_limit / 60)) minutes: swift test $*" >&2
    fi
    return "$status"
}

# Runs all tests, those of each target (BRIDGE_TEST_TARGETS, or all) in a process of their own. In one process the tests
# that keep the processors or the threads of Swift's pool busy, such as those of wrong bridges, make the whole take
# three times as long, and right bridges look as if they blocked.
run_tests_by_target() {
    local targets=${BRIDGE_TEST_TARGETS:-$(cd Tests && echo *Tests)} tests
    for tests in $targets; do
        run_tests "$@" --filter "^$tests\\." --skip '^DocumentationTests\.WalkTests' || return
    done
    # The guide shows the shortest history, and the search for it has a limited time: nothing else runs beside it.
    if [[ " $targets " == *" DocumentationTests "* ]]; then
        run_tests "$@" --filter '^DocumentationTests\.WalkTests'
    fi
}

# Says, from what the tests have printed, which failed, and which had begun and not ended. After a crash or a wait
# without an end it is one of those. The frames of a crash are far above, before those of all other threads.
show_failed_tests() {
    awk '
        /^\*\*\* Program crashed: / || /^Thread [0-9]+ .*crashed:$/ { print; frames = 40; next }
        /^Thread [0-9]+ / || /^Registers:/ { frames = 0 }
        /^ *[0-9]+ / && frames > 0 { print; frames-- }
        / Test .* recorded an issue / || / Test .* failed after / { print "failed: " $0 }
        / Test case / || / Test run / { next }
        / Test .* started\.$/ {
            sub(/^.* Test /, ""); sub(/ started\.$/, "")
            running[$0]++
        }
        / Test .* (passed|failed) after / {
            sub(/^[^ ]* *Test /, ""); sub(/ (passed|failed) after .*$/, ""); sub(/ with [0-9]+ test cases?$/, "")
            running[$0]--
        }
        END { for (test in running) if (running[test] > 0) print "begun, and not ended: " test }' "$1" >&2
}

# Runs the examples' tests, each example on its own: what one does to the processors is not for the limits of another.
run_example_tests() {
    local tests
    for tests in "(CommandSupport|ExampleSources)" "(Contacts|VCard)" LineServer LocationService Quot WhatsThat; do
        run_tests "$@" --filter "^$tests"
    done
}

# Installs those of the named Debian packages that are missing. Does nothing on a system without apt.
require_packages() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
    local package missing=()
    for package in "$@"; do
        if [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
            missing+=("$package")
        fi
    done
    if (( ${#missing[@]} == 0 )); then return 0; fi
    if (( EUID != 0 )); then
        echo "Missing, and only root can install them: ${missing[*]}" >&2
        return 1
    fi
    step "Installing ${missing[*]}"
    apt-get update --quiet --quiet >&2
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "${missing[@]}" >&2
}

# Installs what the tests load besides the toolchain: libxml2, for FoundationXML.
require_test_libraries() {
    command -v dpkg-query >/dev/null || return 0
    # Its package has another name in newer systems, so the library itself is looked for.
    if PATH=$PATH:/sbin ldconfig -p | grep 'libxml2\.so\.2 ' >/dev/null; then return 0; fi
    require_packages libxml2
}
