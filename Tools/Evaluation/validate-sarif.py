#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Validates reports against the JSON schema of SARIF 2.1.0, which OASIS publishes.

    Tools/Evaluation/validate-sarif.py sarif-schema-2.1.0.json REPORT...

Needs the Python package jsonschema.
"""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding="utf-8"))
validator = jsonschema.validators.validator_for(schema)(schema)
failed = False
for path in sys.argv[2:]:
    report = json.load(open(path, encoding="utf-8"))
    errors = list(validator.iter_errors(report))
    failed = failed or bool(errors)
    results = sum(len(run["results"]) for run in report["runs"])
    print(f"{path}: {results} results, {len(errors)} errors")
    for error in errors[:10]:
        print(f"  {'/'.join(map(str, error.absolute_path))}: {error.message}")
sys.exit(failed)
