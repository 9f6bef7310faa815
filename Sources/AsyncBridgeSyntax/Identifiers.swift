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
        return name.isValidSwiftIdentifier(for: .variableName) ? name : "`\(name)`"
    }

    /// The name as the label of an argument, where few keywords want backticks.
    var asLabel: String {
        let name = self.withoutBackticks
        let isKeyword = name.allSatisfy { $0.isASCII && $0.isLetter } && !["inout", "let", "var"].contains(name)
        return isKeyword ? name : name.asIdentifier
    }

    /// The name with something behind it.
    func withSuffix(_ suffix: String) -> String { (self.withoutBackticks + suffix).asIdentifier }
}
#endif
