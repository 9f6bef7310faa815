#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Looks in the history of projects for fixes of "exactly once", and whether a finding goes away with each fix.

    Tools/Evaluation/history.py list GIT-DIRECTORY... > candidates.tsv
    Tools/Evaluation/history.py measure --tool Tools/.build/release/asyncbridge --root FOLDER scope.tsv

`list` prints commits of which the message speaks of a handler or a continuation that was called twice, never or not
always, and of which the change concerns such a call. A person then reads these, without knowing what the tool says, and
writes `in` or `out` in front of each line: `in`, if the change cures a path that delivers never or twice.

`measure` checks all files of the commit's parent and of the commit. A fix counts as announced if the parent has a
finding in a file that the commit changes, and the commit has it no longer; a finding is known by its rule, declaration
and token. Lines of scope.tsv: scope, project, commit, subject, separated by tabs; FOLDER/project/repo is a git directory.
"""
import argparse, collections, concurrent.futures, json, os, re, subprocess, sys, tempfile

TOPIC = re.compile(r"completion|callback|call back|continuation|\bhandlers?\b|resum(e|ed|ing)\b|closure|\bblock\b", re.I)
FAULT = re.compile(
    r"\btwice\b|\bdouble|multiple times|more than once|several times|only once|exactly once|at most once|\bonce\b"
    r"|never\b|not (being )?(called|resumed|invoked|executed|calling|resuming|fired|finish)"
    r"|(isn|wasn|aren|doesn|didn)['’]?t (call|resum|invok|execut|being called|always|finish|complet)"
    r"|always (call|resum|invok|execut|complet)|missing|forg[oe]t|leak|misuse|\bhang|\bhung\b|stuck|deadlock|wait(ing)? forever"
    r"|without calling|(call|resum|invok)\w* .{0,30}(in all|on all|for all|every) |early return|all code ?paths|all paths",
    re.I,
)
DELIVERY = re.compile(
    r"resume\s*\(|\b\w*([cC]ompletion|[cC]allback|[hH]andler|[rR]eply|onComplete|onResult|\bdone|closure|block)\w*[?!]?\s*\("
    r"|^[+-]\s*(return|else|\} else)\b|continuation\s*=",
)
TEST = re.compile(r"(^|/)[^/]*(Tests?|Mocks?|Fixtures?|Examples?|Pods|Carthage|checkouts)[^/]*/|Tests?\.swift$|Mock\w*\.swift$")


def git(repository, *arguments):
    run = subprocess.run(["git", "--git-dir", repository, *arguments], capture_output=True)
    return run.stdout.decode("utf-8", "replace")


def candidates(repository):
    log = git(repository, "log", "--no-merges", "--format=%x01%H%x02%s%x02%b", "--", "*.swift")
    for entry in log.split("\x01")[1:]:
        commit, subject, body = entry.split("\x02")
        text = subject + "\n" + body[:800]
        # The subject must speak of it, or the sentences of the body that do both.
        sentences = [subject] + re.split(r"[.\n]", body[:800])
        if not any(TOPIC.search(part) and FAULT.search(part) for part in sentences):
            continue
        changed = [f for f in git(repository, "show", "--format=", "--name-only", commit).split("\n") if f]
        swift = [f for f in changed if f.endswith(".swift") and not TEST.search(f)]
        if not swift or len(swift) > 12:
            continue
        patch = git(repository, "show", "--format=", "--unified=0", commit, "--", *swift)
        lines = [l for l in patch.split("\n") if l[:1] in "+-" and not l.startswith(("+++", "---"))]
        if len(lines) > 400 or not any(DELIVERY.search(l) for l in lines):
            continue
        yield commit, subject.replace("\t", " ")


def findings(tool, repository, commit, folder, extra):
    os.makedirs(folder)
    # One by one: a snapshot may lack large files, at which an archive would end.
    entries = [e.split("\t", 1) for e in git(repository, "ls-tree", "-r", "-z", commit).split("\0") if e.endswith(".swift")]
    if not entries:
        sys.exit(f"{repository} {commit} cannot be read")
    batch = subprocess.run(
        ["git", "--git-dir", repository, "cat-file", "--batch"],
        input="".join(meta.split()[2] + "\n" for meta, _ in entries).encode(),
        capture_output=True,
    ).stdout
    position = 0
    for _, path in entries:
        end = batch.index(b"\n", position)
        header = batch[position:end].split()
        position = end + 1
        if header[-1] == b"missing":
            continue
        content = batch[position : position + int(header[2])]
        position += int(header[2]) + 1
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "wb") as file:
            file.write(content)
    run = subprocess.run([tool, "check", ".", "--format", "json", "--notes", *extra], capture_output=True, cwd=folder)
    found = collections.Counter()
    levels = {}
    for item in json.loads(run.stdout)["findings"]:
        key = (item["path"], item["rule"], item["declaration"], item["token"])
        found[key] += 1
        levels[key] = item["level"]
    return found, levels


def announced(tool, root, project, commit, extra):
    repository = f"{root}/{project}/repo"
    changed = set(git(repository, "show", "--format=", "--name-only", commit).split("\n"))
    with tempfile.TemporaryDirectory() as folder:
        old, levels = findings(tool, repository, commit + "^", folder + "/old", extra)
        new, _ = findings(tool, repository, commit, folder + "/new", extra)
    return [(levels[key], key) for key in (old - new) if key[0] in changed]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list")
    listing.add_argument("repositories", nargs="+")
    measuring = commands.add_parser("measure")
    measuring.add_argument("--tool", required=True)
    measuring.add_argument("--root", required=True)
    measuring.add_argument("--profile", default="default")
    measuring.add_argument("--all", action="store_true", help="those out of scope, too")
    measuring.add_argument("scope")
    options = parser.parse_args()
    if options.command == "list":
        for repository in options.repositories:
            project = os.path.basename(os.path.dirname(os.path.abspath(repository)))
            for commit, subject in candidates(repository):
                print(project, commit[:12], subject, sep="\t")
        return
    rows = [line.rstrip("\n").split("\t") for line in open(options.scope, encoding="utf-8") if line.strip()]
    rows = [row for row in rows if options.all or row[0] == "in"]
    tool = os.path.abspath(options.tool)
    extra = ["--profile", options.profile, "--jobs", "1"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda row: announced(tool, options.root, row[1], row[2], extra), rows))
    shown, noted = 0, 0
    for row, gone in zip(rows, results):
        best = "note" if gone else "-"
        for level in ("warning", "error"):
            if any(item[0] == level for item in gone):
                best = level
        shown += best in ("warning", "error")
        noted += best == "note"
        rules = ",".join(sorted({key[1] for _, key in gone}))
        print(row[0], row[1], row[2], best, rules, row[3], sep="\t")
    print(f"{shown} of {len(rows)} announced, {noted} more by a note", file=sys.stderr)


main()
