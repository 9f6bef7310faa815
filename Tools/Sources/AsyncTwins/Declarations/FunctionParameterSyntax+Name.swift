// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension FunctionParameterSyntax {
    /// What the function itself calls the parameter.
    var innerName: TokenSyntax { secondName ?? firstName }

    /// Whether callers may leave it out, or an async function does not need it: a queue.
    var isOptionalDetail: Bool { defaultValue != nil || firstName.text.lowercased().hasSuffix("queue") }
}

extension [FunctionParameterSyntax] {
    /// The parameters beyond those with these labels, which must come in this order; `nil` if one of them is missing.
    func remainder(after labels: [String]) -> [FunctionParameterSyntax]? {
        var wanted = labels[...]
        var others: [FunctionParameterSyntax] = []
        for parameter in self {
            if parameter.firstName.text == wanted.first {
                wanted.removeFirst()
            } else {
                others.append(parameter)
            }
        }
        return wanted.isEmpty ? others : nil
    }
}

extension ArraySlice<FunctionParameterSyntax> {
    /// Whether some call fits both: what only one of two functions has may be left out, and the rest has the same
    /// labels and types, or their optional forms.
    func shareCalls(with others: Self) -> Bool {
        guard let own = first else { return others.allSatisfy { $0.defaultValue != nil } }
        if let other = others.first, own.isLike(other), dropFirst().shareCalls(with: others.dropFirst()) { return true }
        if own.defaultValue != nil, dropFirst().shareCalls(with: others) { return true }
        guard let other = others.first, other.defaultValue != nil else { return false }
        return shareCalls(with: others.dropFirst())
    }
}

extension FunctionParameterSyntax {
    fileprivate func isLike(_ other: FunctionParameterSyntax) -> Bool {
        firstName.text == other.firstName.text
            && type.trimmedDescription.withoutOptional == other.type.trimmedDescription.withoutOptional
    }
}

extension String {
    /// A type as it is written, without the `?` or `!` of one that may be missing.
    var withoutOptional: String { hasSuffix("?") || hasSuffix("!") ? String(dropLast()) : self }
}
