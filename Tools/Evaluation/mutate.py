#!/usr/bin/env python3
"""Injects faults into Swift files, and counts how many of them `asyncbridge check` finds.

    Tools/Evaluation/mutate.py --tool Tools/.build/debug/asyncbridge --sites 600 --seed 1 FOLDER...

A fault is one of three changes of one line: a delivery is deleted, a delivery is written twice, the `return` after a
delivery is deleted. It counts as found if the changed file has a finding that the file had not, by rule and place.
Nothing is written into the folders.
"""
import argparse, collections, json, os, random, re, subprocess, sys, tempfile

RESUME = re.compile(r"^\s*(?:return )?(?:self\.)?\w*[cC]ontinuation[?!]?\.resume\b.*\)\s*$")
CALL = re.compile(
    r"^\s*(?:return )?(?:completion|completionHandler|\w+Completion|\w+CompletionHandler|completionBlock|reply"
    r"|replyHandler)[?!]?\(.*\)\s*$"
)


def files(folders):
    for folder in folders:
        for root, names, found in os.walk(folder):
            names[:] = [n for n in names if not n.startswith(".") and not n.endswith(("Tests", "Mocks")) and n != "Tests"]
            for name in sorted(found):
                if name.endswith(".swift") and not name.endswith(("Tests.swift", "Test.swift")):
                    yield os.path.join(root, name)


def sites(path):
    lines = open(path, encoding="utf-8", errors="ignore").read().split("\n")
    for index, line in enumerate(lines):
        kind = "continuation" if RESUME.match(line) else "completion" if CALL.match(line) else None
        if kind is None or line.count("(") != line.count(")"):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        bare = line.strip().removeprefix("return ")
        yield kind, "delete", lines[:index] + [indent + ("return" if "return " in line else "")] + lines[index + 1 :], path
        if not line.strip().startswith("return "):
            yield kind, "duplicate", lines[:index] + [line, line] + lines[index + 1 :], path
            if index + 1 < len(lines) and lines[index + 1].strip() == "return":
                yield kind, "drop-return", lines[: index + 1] + lines[index + 2 :], path
        else:
            yield kind, "drop-return", lines[:index] + [indent + bare] + lines[index + 1 :], path


def check(tool, folder, extra):
    run = subprocess.run([tool, "check", folder, "--format", "json", *extra], capture_output=True, text=True)
    found = collections.defaultdict(collections.Counter)
    for item in json.loads(run.stdout)["findings"]:
        found[os.path.basename(item["path"])][(item["rule"], item["declaration"], item["token"])] += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--sites", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", action="store_true", help="count notes, too")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    extra = ["--notes"] if options.notes else []
    everything = [site for path in files(options.folders) for site in sites(path)]
    random.Random(options.seed).shuffle(everything)
    chosen = everything[: options.sites]
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
        for number, (_, _, lines, path) in enumerate(chosen):
            with open(path, encoding="utf-8", errors="ignore") as original:
                open(f"{before}/{number}.swift", "w").write(original.read())
            open(f"{after}/{number}.swift", "w").write("\n".join(lines))
        old, new = check(options.tool, before, extra), check(options.tool, after, extra)
    hits, totals = collections.Counter(), collections.Counter()
    for number, (kind, change, _, path) in enumerate(chosen):
        totals[kind, change] += 1
        if new[f"{number}.swift"] - old[f"{number}.swift"]:
            hits[kind, change] += 1
        elif options.misses:
            print("missed", kind, change, path, file=sys.stderr)
    print(f"{len(chosen)} of {len(everything)} sites, seed {options.seed}")
    for key in sorted(totals):
        print(f"{key[0]:13} {key[1]:12} {hits[key]:4} of {totals[key]:4}  {100 * hits[key] / totals[key]:5.1f} %")


main()
