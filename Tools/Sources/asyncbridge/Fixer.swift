// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CheckReports
import ExactlyOnce

/// Writes fixes into files.
struct Fixer {
    var checker: Checker
    var inputs: [Inputs.Input]
    var context: [Inputs.Input]

    /// Applies the fixes of findings until none is left that makes a file better: a second run has nothing to do.
    ///
    /// `wanted` says of which findings. Answers how many, and what is found then.
    func fix(
        _ first: Checker.Result,
        of wanted: (Checker.Result) throws -> [Finding]
    ) throws -> (applied: Int, result: Checker.Result) {
        var (result, applied) = (first, 0)
        while true {
            let repaired = checker.repair(try wanted(result), knowing: result.knowledge)
            guard !repaired.isEmpty else { return (applied, result) }
            for file in repaired {
                try TextFile.change(file.path, to: file.text)
                applied += file.applied
            }
            result = checker.check(inputs, knowing: context)
        }
    }
}
