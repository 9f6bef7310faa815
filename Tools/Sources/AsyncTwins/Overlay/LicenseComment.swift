// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// The comment at the head of a file that says whose it is, and who may use it.
enum LicenseComment {
    private static let words = ["license", "licence", "copyright", "©"]

    /// Its lines; none if there is no such comment.
    static func lines(of tree: SourceFileSyntax) -> [String] {
        var lines: [String] = []
        for piece in tree.firstToken(viewMode: .sourceAccurate)?.leadingTrivia ?? [] {
            switch piece {
            case .lineComment(let text): lines.append(text)
            case .blockComment(let text):
                lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            case .newlines(let count) where count > 1 && !lines.isEmpty: return isLicense(lines) ? lines : []
            case .spaces, .tabs, .newlines, .carriageReturnLineFeeds, .carriageReturns: continue
            default: return isLicense(lines) ? lines : []
            }
        }
        return isLicense(lines) ? lines : []
    }

    private static func isLicense(_ lines: [String]) -> Bool {
        let text = lines.joined(separator: "\n").lowercased()
        return words.contains(where: text.contains)
    }
}
