// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import SwiftSyntax

/// Who may use a declaration.
package enum Access: Int, Sendable, Comparable {
    case `private`
    case `internal`
    case package
    case `public`

    package static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }

    /// The level that modifiers name, if they name one; `open` is public, and what only a file sees is private.
    package init?(_ modifiers: DeclModifierListSyntax) {
        let levels = modifiers.lazy.filter { $0.detail == nil }.compactMap { Access(word: $0.name.text) }
        guard let level = levels.first else { return nil }
        self = level
    }

    private init?(word: String) {
        switch word {
        case "private", "fileprivate": self = .private
        case "internal": self = .internal
        case "package": self = .package
        case "public", "open": self = .public
        default: return nil
        }
    }

    /// The word for reports, and before a declaration.
    package var word: String {
        switch self {
        case .private: "private"
        case .internal: "internal"
        case .package: "package"
        case .public: "public"
        }
    }
}
