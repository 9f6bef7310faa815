// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension CompletionTwin {
    /// Refuses what an operation cannot keep until it runs, and arguments for the other direction.
    func check() throws(Refusal) {
        if let parameter = self.parameters.all.first(where: { $0.syntax.type.isInout }) {
            throw Refusal(
                .inoutParameter,
                """
                the operation runs after the twin has returned, so it cannot change '\(parameter.name)'. Return the \
                new value instead
                """,
                at: parameter.syntax.type
            )
        }
        if let modifier = self.function.modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) }) {
            throw Refusal(
                .mutating,
                """
                the operation runs after the twin has returned, so it cannot change 'self'. Return the new value instead
                """,
                at: modifier
            )
        }
        if let type = self.function.signature.returnClause?.type, type.mentionsOpaque {
            throw Refusal(
                .returnsOpaque,
                """
                a completion cannot get '\(type.trimmedDescription)': 'some' would be another type there. Use 'any'
                """,
                at: type
            )
        }
        try self.checkOptions()
    }

    /// What only makes sense for a twin that waits.
    private func checkOptions() throws(Refusal) {
        let given = [
            ("ifDropped:", self.options.ifDropped != nil), ("timeout:", self.options.timeout != nil),
            ("delivers:", self.options.delivers != nil), ("completion:", self.options.completion != nil),
            (".unchecked", self.options.isUnchecked), (".nonsending", self.options.isNonsending),
            (".cooperative", self.options.isCooperative), (".optional", self.options.nilIsAnswer),
            (".asyncSuffix", self.options.hasSuffix), (".cancel", !self.options.handle.isByType),
        ]
        guard let wrong = given.first(where: \.1) else { return }
        throw Refusal(
            .argumentDoesNotFit,
            """
            '\(self.function.name.text)' is async, so its twin has a completion handler, and '\(wrong.0)' has no \
            meaning there. Remove it
            """,
            at: self.options.anchor(or: self.function.name)
        )
    }
}

extension TwinOptions.Handle {
    fileprivate var isByType: Bool {
        if case .byType = self { true } else { false }
    }
}
#endif
