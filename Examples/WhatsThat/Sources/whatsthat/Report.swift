// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport
import Foundation
import WhatsThatServices

/// Writes what pictures show to standard output, and what is wrong to standard error.
struct Report: Sendable {
    /// What came of a file.
    enum Outcome: Sendable {
        case success(String, [ImageClassifierService.Classification.Candidate])
        case failure(String)
    }

    /// A line of JSON.
    private struct Line: Encodable {
        var file: String
        var caption: String?
        var candidates: [ImageClassifierService.Classification.Candidate]?
        var error: String?
    }

    /// How many candidates are shown.
    let top: Int?
    let json: Bool

    func show(_ file: String, _ outcome: Outcome) throws {
        switch outcome {
        case .success(let caption, let candidates):
            if self.json {
                let candidates = Array(candidates.prefix(self.top ?? 5))
                return try self.write(Line(file: file, caption: caption, candidates: candidates))
            }
            try StandardOutput.write(line: Printable.text("\(file): \(caption)"))
            for candidate in candidates.prefix(self.top ?? 0) {
                let percent = String(format: "%5.1f", candidate.probability * 100)
                try StandardOutput.write(line: Printable.text("  \(percent) %  \(candidate.label)"))
            }
        case .failure(let message):
            complain("\(file): \(message)")
            // Who reads JSON wants to know of each file.
            if self.json { try self.write(Line(file: file, error: message)) }
        }
    }

    private func write(_ line: Line) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try StandardOutput.write(line: Printable.json(String(decoding: try encoder.encode(line), as: UTF8.self)))
    }
}
