// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The form in which names of authors and tags are compared: "Emily Brontë" is `emily-bronte`.
func slug(of name: some StringProtocol) -> String {
    let plain = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).lowercased()
        // "St. John's" is `st-johns`.
        .filter { !["'", "\u{2019}", "."].contains($0) }
    return plain.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
}

/// The name for which a slug stands: `human-nature` is "Human Nature".
func title(ofSlug slug: String) -> String {
    slug.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
}
