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
        let taken = declaration.memberNames
        self.refusals += self.methods.filter { $0.kind == .reply && taken.contains($0.name) }.map(Self.nameOfMember)
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

    /// Why `@DelegateReply` does nothing where it is; `nil` if it does something.
    public static func uselessReply(
        _ attribute: AttributeSyntax,
        at declaration: some DeclSyntaxProtocol,
        in surroundings: Surroundings
    ) -> Refusal? {
        guard surroundings.hasDelegateMacro, let function = declaration.as(FunctionDeclSyntax.self) else {
            let message = """
                '@\(HubNames.delegateReply)' is for a method of a class with '@\(HubNames.delegateEvents)', and does \
                nothing here. Remove it
                """
            return Refusal(.uselessReply, message, at: attribute, cures: [attribute.removal])
        }
        guard function.body != nil else { return nil }
        let message = "the method has a body, so no macro makes it answer a slot. Remove the body or the attribute"
        return Refusal(.uselessReply, message, at: attribute, cures: [attribute.removal])
    }

    /// Whether the attribute says that what is passed on need not be `Sendable`.
    public static func isUnchecked(_ attribute: AttributeSyntax) -> Bool {
        guard case .argumentList(let arguments)? = attribute.arguments else { return false }
        return arguments.contains { TwinOptions.memberName($0.expression) == "unchecked" }
    }

    /// The attribute of a method without a body, which the macro of bodies reads: it sees the method alone.
    ///
    /// - Returns: `nil` for a method that has a body.
    public func attribute(of function: FunctionDeclSyntax, unchecked: Bool) -> String? {
        guard function.body == nil else { return nil }
        let method = self.methods.first { $0.isFor(function) }
        // Without a name there are no members for a body to use.
        let name = self.refusals.allSatisfy(\.isWarning) ? method?.name ?? "" : ""
        let literal = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "@\(HubNames.delegateBody)(\"\(literal)\"\(unchecked ? ", .unchecked" : ""))"
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

    private static func nameOfMember(_ method: DelegateMethod) -> Refusal {
        Refusal(
            .nameOfMember,
            "the slot would be called '\(method.name)', as a member is. Rename that one, or write the body yourself",
            at: method.function.name
        )
    }

    // MARK: Source

    /// What the enum is called: not like a type of the user's that the methods are told of.
    private func eventName(in declaration: ClassDeclSyntax) -> String {
        var taken = Set(self.methods.flatMap { $0.function.signature.parameterClause.mentionedTypes })
        taken.insert(declaration.name.text)
        taken.formUnion(declaration.genericParameterClause?.parameters.map(\.name.text) ?? [])
        taken.formUnion(declaration.memberBlock.members.all.compactMap(\.declaredType))
        let properties = declaration.memberBlock.members.all.compactMap { $0.as(VariableDeclSyntax.self) }
        taken.formUnion(properties.flatMap(\.names))
        guard taken.contains("Event") else { return "Event" }
        var names = Names(taken: Array(taken))
        return names.unique("DelegateEvent")
    }

    private func members(of declaration: ClassDeclSyntax, unchecked: Bool) -> [String] {
        let name = declaration.name.text
        let event = self.eventName(in: declaration)
        let events = self.methods.filter { $0.kind == .event }
        // Not wider than the methods, whose types may be no wider either.
        let access = Self.access([declaration.modifiers] + events.map(\.function.modifiers))
        let slots = self.methods.filter { $0.kind == .reply }.map { method in
            let access = Self.access([declaration.modifiers, method.function.modifiers])
            return method.conditions.around(
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
            Self.sequence(access, name, of: event, waits: false, unchecked: unchecked),
            Self.sequence(access, name, of: event, waits: true, unchecked: unchecked),
        ] + slots
    }

    /// The narrowest access of several declarations, in source form; what is private in a type, its file may use.
    private static func access(_ modifiers: [DeclModifierListSyntax]) -> String {
        let levels = [["private", "fileprivate"], ["internal"], ["package"], ["public", "open"]]
        let words = ["fileprivate ", "", "package ", "public "]
        let all = modifiers.map { list in
            let written = list.filter { $0.detail == nil }.map(\.name.text)
            return levels.firstIndex { level in written.contains(where: level.contains) } ?? 1
        }
        return words[all.min() ?? 1]
    }

    /// The function that makes the sequence; if it waits, by closures that may wait for the sender.
    private static func sequence(
        _ access: String,
        _ delegate: String,
        of event: String,
        waits: Bool,
        unchecked: Bool
    ) -> String {
        let context = unchecked ? "" : "@_inheritActorContext "
        let kind = unchecked ? "@isolated(any)" : "@Sendable @isolated(any)"
        let effect = waits ? "async " : ""
        let action = "(\(kind) () \(effect)-> \(HubNames.void))? = nil"
        let (mark, pause, this) = unchecked ? ("unsafe ", "uncheckedPause", "unchecked: self") : ("", "pause", "self")
        let summary = waits ? ", by closures that wait for a sender on another actor." : "."
        let place = waits ? "" : " A closure that is written on an actor runs there, as soon as the loop waits."
        return """
            /// The calls of this delegate, while there is a loop over them\(summary)
            ///
            /// - Parameters:
            ///   - buffering: What happens to events that arrive faster than they are consumed.
            ///   - pause: Asks the sender to pause, for a policy with a high mark.
            ///   - resume: Asks it to go on.
            ///   - fileID: The caller's file.
            ///   - line: The caller's line.
            ///   - attach: Sets the sender's delegate: to this one when the first loop begins, to `nil` when the last
            ///     one has ended.\(place)
            \(access)nonisolated func events(
                buffering: \(HubNames.bufferingPolicy) = .unbounded,
                \(context)pause: \(action),
                \(context)resume: \(action),
                fileID: Swift.StaticString = #fileID,
                line: Swift.UInt = #line,
                \(context)attach: @escaping \(kind) (\(delegate)?) \(effect)-> \(HubNames.void)
            ) -> \(HubNames.callbackSequence)<\(event), Never> {
                self.\(HubNames.delegateSinks).sequence(
                    buffering: buffering,
                    flow: \(mark)\(HubNames.delegateFlow)(\(pause): pause, resume: resume),
                    fileID: fileID,
                    line: line,
                    sender: \(mark)\(HubNames.delegateSender)(\(this), attach)
                )
            }
            """
    }
}

extension DeclGroupSyntax {
    /// The names with which no other member can be called: of properties, and of functions without parameters.
    fileprivate var memberNames: Set<String> {
        let variables = self.memberBlock.members.all.compactMap { $0.as(VariableDeclSyntax.self) }
        let properties = variables.flatMap { variable in variable.isOfType ? [] : variable.names }
        let functions = self.functions.filter {
            $0.signature.parameterClause.parameters.isEmpty && !$0.has(.static) && !$0.has(.class)
        }
        return Set(properties + functions.map(\.name.text))
    }
}

extension VariableDeclSyntax {
    fileprivate var isOfType: Bool { self.modifiers.contains { ["static", "class"].contains($0.name.text) } }

    /// What it declares, also in tuples.
    fileprivate var names: [String] {
        self.bindings.flatMap { $0.pattern.tokens(viewMode: .sourceAccurate).map(\.text) }
    }
}

extension MemberBlockItemListSyntax {
    /// All declarations, with those in `#if`.
    fileprivate var all: [DeclSyntax] {
        self.flatMap { member in
            guard let block = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
            return block.clauses.flatMap { clause in
                guard case .decls(let members)? = clause.elements else { return [DeclSyntax]() }
                return members.all
            }
        }
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
