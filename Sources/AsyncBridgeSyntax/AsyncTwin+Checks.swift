// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension AsyncTwin {
    /// Refuses arguments that contradict the function or each other.
    func checkOptions() throws(Refusal) {
        try self.checkName()
        try self.checkPacks()
        if let name = self.options.name, self.options.hasSuffix {
            throw self.mismatch(
                .contradiction,
                "the twin is called '\(name)', so '.asyncSuffix' has no meaning. Remove one of the two",
                removing: ".asyncSuffix"
            )
        }
        if self.options.hasValuesOnly, !self.valuesMayMeanMore {
            throw self.mismatch(
                .argumentDoesNotFit,
                "'.values' is for a handler that gets an error or a 'Result', and this one gets neither. Remove it",
                removing: ".values"
            )
        }
        if self.options.nilIsAnswer, !self.answer.hasOptionalHandler {
            throw self.mismatch(
                .argumentDoesNotFit,
                "'.optional' is for a handler with one optional value and an error: (Value?, Error?). Remove it",
                removing: ".optional"
            )
        }
        let closures = self.kept.filter { HandlerType($0.syntax.type) != nil && $0.syntax.type.keptOften != nil }
        if let closure = closures.first(where: { $0.syntax.type.hasSpecifier(.sending) }) {
            throw Refusal(
                .ownership,
                """
                Swift lets no closure pass on a 'sending' closure, and the twin makes its call in one. Make it \
                '@Sendable'
                """,
                at: closure.syntax.type
            )
        }
        if self.options.addsFuture || self.options.addsPublisher {
            try self.function.checkThatItMayRunLater(self.parameters, in: self.surroundings)
            try self.options.checkThatItMayBeShared(self.parameters, of: self.function, in: self.surroundings)
        }
        let hasActor = self.parameters.all.contains { $0.syntax.type.hasSpecifier(.isolated) }
        if self.options.isNonsending, hasActor || self.surroundings.isolates(self.function) {
            throw self.mismatch(
                .argumentDoesNotFit,
                "'\(self.function.name.text)' runs on an actor, and its twin too. Remove '.nonsending'",
                removing: ".nonsending"
            )
        }
        if self.options.ifInterrupted != nil, self.answer.canFail || self.function.canThrow {
            throw self.mismatch(
                .argumentDoesNotFit,
                "'ifInterrupted:' makes a twin that cannot throw, but '\(self.function.name.text)' can fail. Remove it",
                removing: "ifInterrupted:"
            )
        }
        // Swift takes a closure for one that throws because of the `try` in front of such an argument.
        let autoclosure = self.kept.first { HandlerType($0.syntax.type)?.isThrowingAutoclosure == true }
        if self.options.ifInterrupted != nil, let autoclosure {
            throw self.mismatch(
                .argumentDoesNotFit,
                """
                'ifInterrupted:' makes a twin that cannot throw, and Swift does not let it pass on \
                '\(autoclosure.syntax.innerName)', which may. Remove it
                """,
                removing: "ifInterrupted:"
            )
        }
    }

    /// Whether something is an error, a `Result` or a handler for failures without '.values'.
    private var valuesMayMeanMore: Bool {
        guard case .one(_, let handler) = self.found,
            !self.parameters.all.contains(where: { CompletionNames($0.syntax).saysFailure })
        else { return true }
        var options = self.options
        options.hasValuesOnly = false
        guard let shape = try? AnswerShape(handler, options), case .values = shape else { return true }
        return false
    }

    /// Without the handler between them, a parameter may follow a pack.
    private func checkPacks() throws(Refusal) {
        let kept = self.kept.map(\.syntax)
        if let tuple = kept.first(where: { $0.type.mentionsPack && !$0.type.is(PackExpansionTypeSyntax.self) }) {
            throw Refusal(
                .variadic,
                "the compiler (6.3) crashes where a closure passes on a tuple of a pack. Write the bridge by hand",
                at: tuple.type
            )
        }
        guard let pair = zip(kept, kept.dropFirst()).first(where: { $0.type.mentionsPack && $1.label == nil }) else {
            return
        }
        throw Refusal(
            .variadic,
            """
            in the twin this parameter follows a pack, and Swift wants a label there. Give it one in \
            '\(self.function.name.text)'
            """,
            at: pair.1.firstName
        )
    }

    /// `cancel(byProducingData:)` must not become `cancel()`, which means something else.
    private func checkName() throws(Refusal) {
        guard self.options.name == nil, case .one(0, _) = self.found else { return }
        let parameter = self.parameters.all[0].syntax
        // Who says that it is the completion has looked at its name.
        guard let label = parameter.label, label.contains(where: \.isUppercase), label != self.options.completion else {
            return
        }
        let names = CompletionNames(label: label)
        guard !names.saysCompletion, !names.saysHandler else { return }
        let better = self.function.name.text.withSuffix(label.prefix(1).uppercased() + String(label.dropFirst()))
        // Swift lets no macro invent names outside of types.
        let isInFile = self.surroundings.place == .file
        let argument = "completion: \"\(label)\""
        let advice =
            isInFile
            ? "If that is meant: @Bridged(\(argument)); if not, write the bridge with withCallback"
            : "Give it a name of its own: @BridgedAs(\"\(better)\")"
        let cure = isInFile ? self.options.cure(adding: argument) : self.options.cure(naming: better)
        throw Refusal(
            .nameSaysMore,
            """
            '\(label)' is part of what the function is called, and the twin would only be called '\(self.name)'. \
            \(advice)
            """,
            at: parameter.firstName,
            cures: [cure].compactMap { $0 }
        )
    }

    private func mismatch(_ reason: Refusal.Reason, _ message: String, removing option: String) -> Refusal {
        Refusal(
            reason,
            message,
            at: self.options.anchor(or: self.function.name),
            cures: [self.options.cure(removing: [option])].compactMap(\.self)
        )
    }

    /// The warning for a completion that callers may leave out: in async code such a call now means the twin.
    var defaultCompletion: Refusal? {
        guard self.name == self.function.name.text, self.options.name == nil else { return nil }
        let parameters = self.omitted.sorted().map { self.parameters.all[$0].syntax }
        guard let value = parameters.first(where: { $0.defaultValue != nil })?.defaultValue,
            parameters.allSatisfy({ $0.defaultValue != nil })
        else { return nil }
        let isInFile = self.surroundings.place == .file
        let same = "; '@BridgedAs(\"\(self.name)\")' keeps it as it is"
        return Refusal(
            .defaultCompletion,
            """
            in async code, '\(self.name)(…)' without a completion now means the twin and wants 'await'. \
            '.asyncSuffix' calls the twin '\(self.name.withSuffix("Async"))'\(isInFile ? "" : same)
            """,
            at: value,
            cures: [
                self.options.cure(adding: ".asyncSuffix"), isInFile ? nil : self.options.cure(naming: self.name),
            ].compactMap { $0 },
            isWarning: true
        )
    }
}
#endif
