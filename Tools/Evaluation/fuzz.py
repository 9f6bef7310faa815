#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Gives `asyncbridge check` files that no compiler takes, and fails if it crashes, hangs or answers no or two reports.

    Tools/Evaluation/fuzz.py --tool Tools/.build/debug/asyncbridge --minutes 10 FOLDER...

Takes Swift files of the folders, cuts them, deletes, doubles and swaps pieces of them, puts in words and characters
that open and close things or that rules look for, and joins halves of different files. The tool must end by itself,
with 0, 1 or 2, and write a report, and with three threads the same one as with one. Swift hashes differently in each
run, so that a report which depends on the order of a set differs, too. What the tool cannot take is kept in the folder
that is printed.
"""
import argparse, json, os, random, subprocess, sys, tempfile, time

PIECES = (
    "{ } ( ) [ ] \" \"\"\" \\( ? ! : , . = < > $0 & | /* */ # @ ; -> guard if else switch case defer do catch try "
    "await return throw func init in let var for while repeat break continue fallthrough completion continuation "
    "resume withCheckedContinuation { self completion?() #if #endif actor class nil .some( \0 \u00ff"
).split(" ") + [
    "{ [weak self] in", "self?.load {", "guard let self else { return }", "isCancelled", "if !isCancelled {",
    "continuation = nil", "self.continuation = continuation", "continuation?.resume()", "onCancel: {",
    "withTaskCancellationHandler {", "lock.withLock {", "lock.lock()", "DispatchSemaphore(value: 0)",
    "semaphore.wait()", "semaphore.signal()", "Task {", "for await item in items {",
    "addObserver(forName: name) { note in", ".sink {", "completion(nil, nil)", "_ = completion",
    "// asyncbridge:ignore[double-delivery] why", "{ _ in", "asyncAfter {",
]

# Without it each run hashes differently.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "SWIFT_DETERMINISTIC_HASHING"}


def sources(folders):
    for folder in folders:
        for root, names, found in os.walk(folder):
            names[:] = sorted(n for n in names if not n.startswith("."))
            for name in sorted(found):
                if name.endswith(".swift"):
                    with open(os.path.join(root, name), encoding="utf-8", errors="ignore") as file:
                        text = file.read()
                    if len(text) < 60_000:
                        yield text


def mutant(texts, rng):
    text = rng.choice(texts)
    for _ in range(rng.randint(1, 6)):
        length = max(1, len(text))
        start = rng.randrange(length)
        end = min(length, start + rng.choice((1, 8, 80, 800)))
        change = rng.randrange(7)
        if change == 0:
            text = text[:start] if rng.random() < 0.5 else text[start:]
        elif change == 1:
            text = text[:start] + text[end:]
        elif change == 2:
            text = text[:end] + text[start:end] * rng.choice((1, 1, 2, 40)) + text[end:]
        elif change == 3:
            text = text[:start] + rng.choice(PIECES) * rng.choice((1, 1, 1, 3, 200)) + text[start:]
        elif change == 4:
            other = rng.choice(texts)
            text = text[:start] + other[rng.randrange(max(1, len(other))) :]
        elif change == 5:
            lines = text.split("\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
        else:
            text = text[:start] + rng.choice(PIECES) + text[end:]
    return text[:200_000]


def ends_well(tool, folder, limit):
    reports = []
    for jobs in ("1", "3"):
        command = [tool, "check", folder, "--tests", "--notes", "--profile", "strict"]
        command += ["--format", "json", "--jobs", jobs]
        try:
            run = subprocess.run(command, capture_output=True, timeout=limit, env=ENVIRONMENT)
        except subprocess.TimeoutExpired:
            return f"not ended after {limit} s"
        if run.returncode not in (0, 1, 2):
            return f"status {run.returncode}"
        try:
            json.loads(run.stdout)
        except ValueError:
            return "no report"
        reports.append(run.stdout)
    return None if reports[0] == reports[1] else "two runs, two reports"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--files", type=int, help="stop after so many files")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    texts = list(sources(options.folders))
    rng = random.Random(options.seed)
    end = time.monotonic() + 60 * options.minutes
    count = 0
    print(f"{len(texts)} files, seed {options.seed}", flush=True)
    while time.monotonic() < end and (options.files is None or count < options.files):
        with tempfile.TemporaryDirectory() as folder:
            batch = [mutant(texts, rng) for _ in range(100)]
            for number, text in enumerate(batch):
                with open(f"{folder}/{number}.swift", "w", encoding="utf-8", errors="ignore") as file:
                    file.write(text)
            count += len(batch)
            if ends_well(options.tool, folder, 300) is None:
                continue
        kept = tempfile.mkdtemp(prefix="asyncbridge-fuzz-")
        alone = False
        for number, text in enumerate(batch):
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/only.swift", "w", encoding="utf-8", errors="ignore") as file:
                    file.write(text)
                failure = ends_well(options.tool, folder, 60)
                if failure:
                    alone = True
                    with open(f"{kept}/{number}.swift", "w", encoding="utf-8", errors="ignore") as file:
                        file.write(text)
                    print(f"{kept}/{number}.swift: {failure}", file=sys.stderr)
        if not alone:
            for number, text in enumerate(batch):
                with open(f"{kept}/{number}.swift", "w", encoding="utf-8", errors="ignore") as file:
                    file.write(text)
        sys.exit(f"seed {options.seed}, after {count} files: see {kept}")
    print(f"{count} files, no crash, one report each")


main()
