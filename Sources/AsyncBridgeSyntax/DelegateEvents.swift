// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

/// What `@DelegateEvents` adds to a delegate: its events, the sequence of them, and slots for answers.
public struct DelegateEvents {
    /// The members, in source form.
    public private(set) var members: [String] = []

    /// Why methods cannot be written.
    public private(set) var refusals: [Refusal] = []

    /// Looks at the methods of a class that have no body.
    public init(of declaration: some DeclGroupSyntax, markedBy attribute: AttributeSyntax) {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            self.refusals = [.notADelegate(attribute)]
            return
        }
        let name = declaration.name.text
        var methods: [DelegateMethod] = []
        var names: Set<String> = []
        for function in declaration.functions where function.body == nil {
            do throws(Refusal) {
                let method = try DelegateMethod(function)
                guard names.insert(method.name).inserted else { throw Self.sameName(method.name, function) }
                methods.append(method)
            } catch {
                self.refusals.append(error)
            }
        }
        if methods.isEmpty, self.refusals.isEmpty {
            let message =
                "'\(name)' has no method without a body: write those that the macro is to fill in without '{ }'"
            self.refusals = [Refusal(.nothingToBridge, message, at: declaration.name, isWarning: true)]
        }
        if let refusal = Self.checkThatItMayBeSent(declaration) { self.refusals.append(refusal) }
        guard self.refusals.isEmpty else { return }
        let levels = ["public", "package"]
        let written = declaration.modifiers.map(\.name.text)
        let access = written.contains("open") ? "public " : written.first(where: levels.contains).map { $0 + " " } ?? ""
        self.members = Self.members(methods, of: name, access, unchecked: Self.isUnchecked(attribute))
    }

    /// Whether the attribute says that what is passed on need not be `Sendable`.
    public static func isUnchecked(_ attribute: AttributeSyntax) -> Bool {
        guard case .argumentList(let arguments)? = attribute.arguments else { return false }
        return arguments.contains { $0.trimmedDescription == ".unchecked" }
    }

    /// The body of one method: ``members`` has what it uses.
    ///
    /// - Returns: `nil` if the method is refused, or has a body.
    public static func body(of function: FunctionDeclSyntax, unchecked: Bool) -> String? {
        guard function.body == nil else { return nil }
        return (try? DelegateMethod(function))?.body(unchecked: unchecked)
    }

    /// It is told things where they happen, and attached where its events are consumed.
    private static func checkThatItMayBeSent(_ declaration: ClassDeclSyntax) -> Refusal? {
        guard !declaration.saysThatItIsSendable else { return nil }
        return Refusal(
            .notSendable,
            """
            events may come on any thread, so the delegate must be safe there: add 'Sendable' to \
            '\(declaration.name.text)', a final class with constants only, or put it on an actor with '@MainActor'
            """,
            at: declaration.name
        )
    }

    private static func sameName(_ name: String, _ function: FunctionDeclSyntax) -> Refusal {
        Refusal(
            .sameEvent,
            "there would be two events '\(name)'. Write the body of one of the methods yourself",
            at: function.name
        )
    }

    // MARK: Source

    private static func members(
        _ methods: [DelegateMethod],
        of name: String,
        _ access: String,
        unchecked: Bool
    ) -> [String] {
        let events = methods.filter { $0.kind == .event }
        let slots = methods.filter { $0.kind == .reply }.map { method in
            """
            /// Where `\(method.name)` answers: wait here before you start what it belongs to.
            \(access)nonisolated let \(method.name) = \(HubNames.replySlot)<\(method.valueType)>()
            """
        }
        guard !events.isEmpty else { return slots }
        let conformance = unchecked ? "" : ": Sendable"
        let cases = events.map(\.caseSource).joined(separator: "\n")
        return [
            "/// What this delegate was told.\n\(access)enum Event\(conformance) {\n\(cases.indented)\n}",
            "private nonisolated let \(HubNames.delegateSinks) = \(HubNames.delegateSinksType)<Event>()",
            """
            /// The calls of this delegate, while there is a loop over them.
            ///
            /// - Parameters:
            ///   - buffering: What happens to events that arrive faster than they are consumed.
            ///   - pause: Asks the sender to pause, for a policy with a high mark.
            ///   - resume: Asks it to go on.
            ///   - attach: Sets the sender's delegate: to this one when the first loop begins, to `nil` when the last
            ///     one has ended.
            \(access)nonisolated func events(
                buffering: \(HubNames.bufferingPolicy) = .unbounded,
                pause: (@Sendable () -> Void)? = nil,
                resume: (@Sendable () -> Void)? = nil,
                attach: @escaping @Sendable (\(name)?) -> Void
            ) -> \(HubNames.callbackSequence)<Event, Never> {
                self.\(HubNames.delegateSinks).sequence(
                    buffering: buffering,
                    pause: pause,
                    resume: resume,
                    attach: { attach(self) },
                    detach: { attach(nil) }
                )
            }
            """,
        ] + slots
    }
}
#endif
