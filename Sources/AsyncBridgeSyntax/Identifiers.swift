// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftParser

extension String {
    /// The name that is written as `` `repeat` ``.
    var withoutBackticks: String {
        guard self.count > 2, self.hasPrefix("`"), self.hasSuffix("`") else { return self }
        return String(self.dropFirst().dropLast())
    }

    /// The name as a declaration has it: in backticks, if it needs them.
    var asIdentifier: String {
        let name = self.withoutBackticks
        // A name, but in front of an expression a word of the language.
        let isWord = ["await", "async", "consume", "copy", "discard", "each", "unsafe", "yield", "then"].contains(name)
        return name.isValidSwiftIdentifier(for: .variableName) && !isWord ? name : "`\(name)`"
    }

    /// The name as the label of an argument, where few keywords want backticks.
    var asLabel: String {
        let name = self.withoutBackticks
        let isKeyword = name.allSatisfy { $0.isASCII && $0.isLetter } && name != "inout"
        return isKeyword ? name : name.asIdentifier
    }

    /// The name with something behind it.
    func withSuffix(_ suffix: String) -> String { (self.withoutBackticks + suffix).asIdentifier }
}
#endif
