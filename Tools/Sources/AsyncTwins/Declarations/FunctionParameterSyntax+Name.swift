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
