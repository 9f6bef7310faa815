#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Injects faults into Swift files, and counts how many of them `asyncbridge check` finds.

    Tools/Evaluation/mutate.py --tool Tools/.build/release/asyncbridge --sites 600 --seed 1 PROJECT...

A fault is one of three changes of one line: a delivery is deleted, a delivery is written twice, the `return` after a
delivery is deleted. It counts as found if the changed file has a finding that the file had not: one more of a rule,
declaration and token. Each file is checked in its project (`--context`). Nothing is written into the projects.

Left out are deletions of a `return` that are no fault: where nothing follows on the path, and in the `else` of a
`guard`, which no compiler takes without a way out.
"""
import argparse, collections, json, os, random, re, subprocess, sys, tempfile

RESUME = re.compile(r"^\s*(?:return )?(?:self\.)?\w*[cC]ontinuation[?!]?\.resume\b.*\)\s*$")
CALL = re.compile(
    r"^\s*(?:return )?(?:completion|completionHandler|\w+Completion|\w+CompletionHandler|completionBlock|reply"
    r"|replyHandler)[?!]?\(.*\)\s*$"
)
SIBLING = re.compile(r"^(\}\s*(else|catch)\b|else\b|catch\b|case\b|default\b|@unknown\b|#else|#elseif)")


def files(folder):
    for root, names, found in os.walk(folder):
        names[:] = sorted(
            n for n in names if not n.startswith(".") and not n.endswith(("Tests", "Mocks")) and n != "Tests"
        )
        for name in sorted(found):
            if name.endswith(".swift") and not name.endswith(("Tests.swift", "Test.swift")):
                yield os.path.join(root, name)


def indent(line):
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def opener(lines, index, depth):
    """The line that opens the block which a line at this depth closes."""
    for number in range(index - 1, -1, -1):
        if lines[number].strip() and indent(lines[number]) == depth:
            return lines[number].strip()
    return ""


def drop_is_a_fault(lines, index):
    """Whether code follows on the path that the `return` of this line ended, and it is not the `else` of a `guard`."""
    depth = indent(lines[index])
    block = ""
    for number in range(index - 1, -1, -1):
        if lines[number].strip() and indent(lines[number]) < depth:
            block = " ".join(line.strip() for line in lines[max(0, number - 6) : number + 1])
            # Its conditions may be indented deeper than its last line.
            if lines[number].strip().startswith("guard "):
                return False
            if re.search(r"\belse\s*\{\s*$", lines[number]):
                guard = re.search(r"\bguard\b(?!.*\bif\b).*$", block)
                if guard and not lines[number].strip().startswith("}"):
                    return False
            break
    number = index + 1
    while number < len(lines):
        text = lines[number].strip()
        if not text or text.startswith("//"):
            number += 1
            continue
        here = indent(lines[number])
        if here >= depth:
            return True
        if SIBLING.match(text):
            # Another way of the same statement: what follows stands behind its last line.
            depth = here
            number += 1
            while number < len(lines):
                line = lines[number].strip()
                if line and indent(lines[number]) <= depth and not SIBLING.match(line):
                    # The brace that ends the whole statement is not what follows.
                    number += line == "}" and indent(lines[number]) == depth
                    break
                number += 1
            continue
        if not text.startswith(("}", ")", "]")):
            return True
        first = opener(lines, number, here)
        if re.search(r"\bin\s*$|\{\s*$", first) and not re.match(
            r"(\}\s*)?(if|else|guard|switch|for|while|repeat|do|catch|defer|case|default|#if)\b", first
        ):
            # A closure or a function ends.
            return False
        if re.match(r"(for|while|repeat)\b", first):
            return True
        depth = here
        number += 1
    return False


def sites(project, path):
    with open(path, encoding="utf-8", errors="ignore") as file:
        lines = file.read().split("\n")
    for index, line in enumerate(lines):
        kind = "continuation" if RESUME.match(line) else "completion" if CALL.match(line) else None
        if kind is None or line.count("(") != line.count(")"):
            continue
        space = line[: len(line) - len(line.lstrip())]
        bare = line.strip().removeprefix("return ")
        isReturn = line.strip().startswith("return ")

        def site(change, new):
            return kind, change, "\n".join(new), project, path, index + 1

        yield site("delete", lines[:index] + [space + ("return" if isReturn else "")] + lines[index + 1 :])
        if isReturn:
            if drop_is_a_fault(lines, index):
                yield site("drop-return", lines[:index] + [space + bare] + lines[index + 1 :])
        else:
            yield site("duplicate", lines[:index] + [line, line] + lines[index + 1 :])
            if index + 1 < len(lines) and lines[index + 1].strip() == "return" and drop_is_a_fault(lines, index + 1):
                yield site("drop-return", lines[: index + 1] + lines[index + 2 :])


def check(tool, folder, project, extra):
    command = [tool, "check", folder, "--context", project, "--format", "json", *extra]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 1, 2) or not run.stdout:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}: {run.stderr}")
    found = collections.defaultdict(collections.Counter)
    for item in json.loads(run.stdout)["findings"]:
        # A finding names several ways past a delivery: each of them counts.
        ways = 1 + sum(place["message"].startswith("nor ") for place in item.get("related", []))
        found[os.path.basename(item["path"])][(item["rule"], item["declaration"], item["token"])] += ways
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--sites", type=int, default=600)
    parser.add_argument("--continuations", type=int, default=0, help="of these, at least so many continuations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--change", choices=("delete", "duplicate", "drop-return"), help="only this kind of fault")
    parser.add_argument("--notes", action="store_true", help="count notes, too")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    parser.add_argument("projects", nargs="+")
    options = parser.parse_args()
    extra = ["--notes"] if options.notes else []
    everything = [site for project in options.projects for path in files(project) for site in sites(project, path)]
    if options.change:
        everything = [site for site in everything if site[1] == options.change]
    random.Random(options.seed).shuffle(everything)
    first = [site for site in everything if site[0] == "continuation"][: options.continuations]
    rest = [site for site in everything if site not in first] if first else everything
    chosen = first + rest[: options.sites - len(first)]
    hits, totals = collections.Counter(), collections.Counter()
    for project in options.projects:
        mine = [site for site in chosen if site[3] == project]
        if not mine:
            continue
        with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
            for number, (_, _, text, _, path, _) in enumerate(mine):
                with open(path, encoding="utf-8", errors="ignore") as file:
                    original = file.read()
                for folder, content in ((before, original), (after, text)):
                    with open(f"{folder}/{number}.swift", "w", encoding="utf-8") as file:
                        file.write(content)
            old, new = check(options.tool, before, project, extra), check(options.tool, after, project, extra)
        for number, (kind, change, _, _, path, line) in enumerate(mine):
            totals[kind, change] += 1
            if new[f"{number}.swift"] - old[f"{number}.swift"]:
                hits[kind, change] += 1
            elif options.misses:
                print(f"missed {kind} {change} {path}:{line}", file=sys.stderr)
    print(f"{len(chosen)} of {len(everything)} sites, seed {options.seed}")
    for key in sorted(totals):
        print(f"{key[0]:13} {key[1]:12} {hits[key]:4} of {totals[key]:4}  {100 * hits[key] / totals[key]:5.1f} %")
    for kind in ("completion", "continuation"):
        hit, total = (sum(c[key] for key in totals if key[0] == kind) for c in (hits, totals))
        print(f"{kind:13} {'all':12} {hit:4} of {total:4}  {100 * hit / max(1, total):5.1f} %")


main()
