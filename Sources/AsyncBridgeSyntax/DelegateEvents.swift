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

    /// The methods without a body, and where they are.
    private var methods: [DelegateMethod] = []

    /// Looks at the methods of a class that have no body.
    public init(of declaration: some DeclGroupSyntax, markedBy attribute: AttributeSyntax) {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            self.refusals = [.notADelegate(attribute)]
            return
        }
        let name = declaration.name.text
        for function in declaration.conditionalFunctions where function.declaration.body == nil {
            do throws(Refusal) {
                self.methods.append(try DelegateMethod(function))
            } catch {
                self.refusals.append(error)
            }
        }
        DelegateMethod.settleNames(&self.methods)
        self.refusals += self.methods.indices.filter(self.hasNameOfAnother).map { Self.sameName(self.methods[$0]) }
        if self.methods.isEmpty, self.refusals.isEmpty {
            let message =
                "'\(name)' has no method without a body: write those that the macro is to fill in without '{ }'"
            self.refusals = [Refusal(.nothingToBridge, message, at: declaration.name, isWarning: true)]
        }
        if let refusal = Self.checkThatItMayBeSent(declaration) { self.refusals.append(refusal) }
        guard self.refusals.isEmpty else { return }
        self.members = self.members(of: declaration, unchecked: Self.isUnchecked(attribute))
    }

    private func hasNameOfAnother(_ index: Int) -> Bool {
        self.methods[..<index].contains { self.methods[index].isCalledLike($0) }
    }

    /// Whether the attribute says that what is passed on need not be `Sendable`.
    public static func isUnchecked(_ attribute: AttributeSyntax) -> Bool {
        guard case .argumentList(let arguments)? = attribute.arguments else { return false }
        return arguments.contains { $0.trimmedDescription == ".unchecked" }
    }

    /// The attribute of a method without a body, which the macro of bodies reads: it sees the method alone.
    ///
    /// - Returns: `nil` for a method that has a body.
    public func attribute(of function: FunctionDeclSyntax, unchecked: Bool) -> String? {
        guard function.body == nil else { return nil }
        let method = self.methods.first { $0.isFor(function) }
        // Without a name there are no members for a body to use.
        let name = self.refusals.allSatisfy(\.isWarning) ? method?.name ?? "" : ""
        return "@\(HubNames.delegateBody)(\"\(name)\"\(unchecked ? ", .unchecked" : ""))"
    }

    /// The body of one method: ``members`` has what it uses.
    ///
    /// - Returns: `nil` if the method has a body.
    public static func body(of function: FunctionDeclSyntax, markedBy attribute: AttributeSyntax) -> String? {
        guard function.body == nil else { return nil }
        guard case .argumentList(let arguments)? = attribute.arguments, let first = arguments.first?.expression,
            let name = try? TwinOptions.text(first), !name.isEmpty,
            let method = try? DelegateMethod(.init(declaration: function, conditions: []))
        else { return "\(HubNames.fatalError)()" }
        return method.body(calling: name, unchecked: self.isUnchecked(attribute))
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

    private static func sameName(_ method: DelegateMethod) -> Refusal {
        Refusal(
            .sameEvent,
            "there would be two events '\(method.name)'. Write the body of one of the methods yourself",
            at: method.function.name
        )
    }

    // MARK: Source

    /// What the enum is called: not like a type of the user's that the methods are told of.
    private func eventName(in declaration: ClassDeclSyntax) -> String {
        var taken = Set(self.methods.flatMap { $0.function.signature.parameterClause.mentionedTypes })
        taken.insert(declaration.name.text)
        taken.formUnion(declaration.genericParameterClause?.parameters.map(\.name.text) ?? [])
        taken.formUnion(declaration.memberBlock.members.compactMap { $0.decl.declaredType })
        guard taken.contains("Event") else { return "Event" }
        var names = Names(taken: Array(taken))
        return names.unique("DelegateEvent")
    }

    private func members(of declaration: ClassDeclSyntax, unchecked: Bool) -> [String] {
        let name = declaration.name.text
        let levels = ["public", "package"]
        let written = declaration.modifiers.map(\.name.text)
        let access = written.contains("open") ? "public " : written.first(where: levels.contains).map { $0 + " " } ?? ""
        let event = self.eventName(in: declaration)
        let events = self.methods.filter { $0.kind == .event }
        let slots = self.methods.filter { $0.kind == .reply }.map { method in
            method.conditions.around(
                """
                /// Where `\(method.name)` answers: wait here before you start what it belongs to.
                \(access)nonisolated let \(method.name) = \(HubNames.replySlot)<\(method.valueType)>()
                """
            )
        }
        guard !events.isEmpty else { return slots }
        let conformance = unchecked ? "" : ": Sendable"
        let cases = events.map { $0.conditions.around($0.caseSource) }.joined(separator: "\n")
        return [
            "/// What this delegate was told.\n\(access)enum \(event)\(conformance) {\n\(cases.indented)\n}",
            "private nonisolated let \(HubNames.delegateSinks) = \(HubNames.delegateSinksType)<\(event)>()",
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
            ) -> \(HubNames.callbackSequence)<\(event), Never> {
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

extension FunctionParameterClauseSyntax {
    /// The names of types that are mentioned without what they are in.
    fileprivate var mentionedTypes: [String] {
        let finder = TypeNames(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.names
    }
}

private final class TypeNames: SyntaxVisitor {
    var names: [String] = []

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        self.names.append(node.name.text)
        return .visitChildren
    }
}

extension DeclSyntax {
    /// The name of the type that is declared.
    fileprivate var declaredType: String? {
        let isType = self.asProtocol((any DeclGroupSyntax).self) != nil || self.is(TypeAliasDeclSyntax.self)
        return isType ? self.asProtocol((any NamedDeclSyntax).self)?.name.text : nil
    }
}
#endif
