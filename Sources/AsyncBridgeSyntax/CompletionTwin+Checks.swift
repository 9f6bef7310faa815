// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension CompletionTwin {
    /// Refuses what an operation cannot keep until it runs, and arguments for the other direction.
    func check() throws(Refusal) {
        try self.function.checkThatItMayRunLater(self.parameters, in: self.surroundings)
        if let type = self.function.signature.returnClause?.type, type.mentionsOpaque {
            throw Refusal(
                .returnsOpaque,
                """
                a completion cannot get '\(type.trimmedDescription)': 'some' would be another type there. Use 'any'
                """,
                at: type
            )
        }
        let returnType = self.function.signature.returnClause?.type.trimmedDescription
        try self.function.checkThatGenericsAreTold(returning: returnType)
        try self.checkOptions()
        try self.options.checkThatItMayBeShared(self.parameters, of: self.function, in: self.surroundings)
    }

    /// What only makes sense for a twin that waits.
    private func checkOptions() throws(Refusal) {
        let given = [
            ("ifInterrupted:", self.options.ifInterrupted != nil), ("timeout:", self.options.timeout != nil),
            ("delivers:", self.options.delivers != nil), ("aliases:", !self.options.aliases.isEmpty),
            ("completion:", self.options.completion != nil),
            (".nonsending", self.options.isNonsending),
            (".cooperative", self.options.isCooperative), (".optional", self.options.nilIsAnswer),
            (".values", self.options.hasValuesOnly),
            (".asyncSuffix", self.options.hasSuffix), (".cancel", !self.options.handle.isByType),
        ]
        let wrong = given.filter(\.1).map(\.0)
        guard let first = wrong.first else { return }
        throw Refusal(
            .argumentDoesNotFit,
            """
            '\(self.function.name.text)' is async, so its twin has a completion handler, and '\(first)' has no \
            meaning there. Remove it
            """,
            at: self.options.anchor(or: self.function.name),
            cures: [self.options.cure(removing: wrong)].compactMap(\.self)
        )
    }
}

extension FunctionDeclSyntax {
    /// Refuses what a task cannot keep, for twins that start one.
    func checkThatItMayRunLater(
        _ parameters: ForwardedParameters,
        in surroundings: Surroundings
    ) throws(Refusal) {
        if let parameter = parameters.all.first(where: { $0.syntax.type.isInout }) {
            throw Refusal(
                .inoutParameter,
                """
                the operation runs after the twin has returned, so it cannot change '\(parameter.name)'. Return the \
                new value instead
                """,
                at: parameter.syntax.type
            )
        }
        if let parameter = parameters.all.first(where: { HandlerType($0.syntax.type)?.isAsyncAutoclosure == true }) {
            throw Refusal(
                .asyncAutoclosure,
                "the twin is not async, so '\(parameter.name)' cannot be an async autoclosure there. Make it a closure",
                at: parameter.syntax.type
            )
        }
        if let modifier = self.modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) }) {
            throw Refusal(
                .mutating,
                """
                the operation runs after the twin has returned, so it cannot change 'self'. Return the new value instead
                """,
                at: modifier
            )
        }
        if surroundings.isDistributed, !self.has(.static), !self.has(.nonisolated) {
            throw Refusal(
                .distributed,
                """
                the operation runs outside of the actor, which may be elsewhere, and only a 'distributed' function can \
                be called there. Those are async for their callers already
                """,
                at: self.name
            )
        }
        if surroundings.isNoncopyable, !self.has(.static) {
            throw Refusal(
                .notCopyable,
                """
                the operation runs after the twin has returned, and cannot keep 'self', of which there is only one. \
                Bridge a static function, or a function of a class or an actor
                """,
                at: self.name
            )
        }
    }
}

extension TwinOptions {
    /// Refuses futures and publishers of what one task alone may have: several may wait for them.
    func checkThatItMayBeShared(
        _ parameters: ForwardedParameters,
        of function: FunctionDeclSyntax,
        in surroundings: Surroundings
    ) throws(Refusal) {
        guard self.addsFuture || self.addsPublisher else { return }
        let word = self.addsFuture ? ".future" : ".publisher"
        let removal = self.cure(removing: [".future", ".publisher"])
        if function.isAsync, surroundings.isNoncopyable, let type = function.signature.returnClause?.type,
            surroundings.isItself(type)
        {
            throw Refusal(
                .notCopyable,
                """
                '\(word)' gives its value to any number of waiters, and '\(type.trimmedDescription)' cannot be copied. \
                Remove it, or return a final class that holds the value
                """,
                at: type,
                cures: [removal].compactMap(\.self)
            )
        }
        if self.isUnchecked {
            throw Refusal(
                .contradiction,
                """
                '\(word)' gives its value to any number of waiters, which only a Sendable one survives, and \
                '.unchecked' is for others. Remove one of the two
                """,
                at: self.anchor(or: function.name),
                cures: [self.cure(removing: [".unchecked"]), removal].compactMap(\.self)
            )
        }
        if let parameter = parameters.all.first(where: { $0.syntax.type.hasSpecifier(.sending) }) {
            throw Refusal(
                .ownership,
                """
                '\(word)' keeps its parameters, perhaps for several tasks, and '\(parameter.name)' is for one. Remove it
                """,
                at: parameter.syntax.type,
                cures: [removal].compactMap(\.self)
            )
        }
    }
}

extension TwinOptions.Handle {
    var isByType: Bool {
        if case .byType = self { true } else { false }
    }
}
#endif
