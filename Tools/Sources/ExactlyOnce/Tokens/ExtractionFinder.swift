// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Finds continuations and handlers that code takes out of where they were stored.
///
/// Whoever takes one out must deliver it, or store it again: nobody else has it any more. Whoever only looks at it must
/// at least not deliver it twice.
final class ExtractionFinder: SyntaxVisitor {
    struct Extraction {
        var name: String
        var position: Int
        /// The code in which the name is valid.
        var body: ArraySlice<CodeBlockItemSyntax>
        var end: Int
        /// Whether the store is emptied, so that the duty is this code's.
        var isTaken: Bool
        var isContinuation: Bool
        /// The statement that empties the store, if it comes later: until then it is not lost.
        var emptying: Int?
    }

    private(set) var extractions: [Extraction] = []
    /// Parameters: what has their names is not taken out of a store.
    private let parameters: Set<String>
    /// Local variables with what a locked section answered: nobody else has it.
    private var answers: Set<String> = []

    /// What is declared to be a store.
    private let stores: StoredContinuations

    private init(_ parameters: Set<String>, _ stores: StoredContinuations) {
        self.parameters = parameters
        self.stores = stores
        super.init(viewMode: .sourceAccurate)
    }

    /// Those in a function's body, without those in functions in it.
    static func extractions(
        in body: some SyntaxProtocol,
        parameters: Set<String>,
        stores: StoredContinuations
    ) -> [Extraction] {
        let finder = ExtractionFinder(parameters, stores)
        finder.walk(body)
        return finder.extractions
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        let items = Array(node)
        for (index, item) in items.enumerated() {
            let rest = items[(index + 1)...]
            if let variable = item.item.as(VariableDeclSyntax.self) {
                for binding in variable.bindings { take(binding, rest: rest, end: node.last) }
            } else if let condition = item.item.as(GuardStmtSyntax.self)?.conditions {
                for element in condition { take(element, rest: rest, end: node.last) }
            }
        }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions { take(element, rest: Array(node.body.statements)[...], end: node.body.last) }
        return .visitChildren
    }

    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind {
        guard case .case(let label) = node.label, label.caseItems.count == 1 else { return .visitChildren }
        let subject = node.subject
        for name in label.caseItems.flatMap({ stores.bound(by: $0.pattern) }) {
            let isAnswer = subject?.identifier.map { answers.contains($0) } ?? false
            let emptied = subject.flatMap { node.statements.emptying($0) }
            let body = Array(node.statements)[...]
            let end = node.endPosition.utf8Offset
            add(name, at: label.start, body: body, end: end, isTaken: isAnswer || emptied != nil, emptied)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Bindings

    private func take(_ binding: PatternBindingSyntax, rest: ArraySlice<CodeBlockItemSyntax>, end: Int) {
        guard let value = binding.initializer?.value, let name = binding.pattern.boundNames.first else { return }
        if value.unwrapped.as(FunctionCallExprSyntax.self)?.isLockedSection == true { answers.insert(name) }
        take(name, binding.start, from: value, rest: rest, end: end)
    }

    private func take(_ element: ConditionElementSyntax, rest: ArraySlice<CodeBlockItemSyntax>, end: Int) {
        switch element.condition {
        case .optionalBinding(let binding):
            guard let name = binding.pattern.boundNames.first else { return }
            guard let value = binding.initializer?.value else {
                // `if let continuation`: a property of that name, if it is no local variable.
                guard Names.isContinuation(name) || stores.properties.contains(name), !parameters.contains(name) else {
                    return
                }
                let emptied = rest.emptying(named: name)
                add(name, at: binding.start, body: rest, end: end, isTaken: emptied != nil, emptied)
                return
            }
            take(name, binding.start, from: value, rest: rest, end: end)
        case .matchingPattern(let match):
            let subject = match.initializer.value
            let emptied = rest.emptying(subject)
            for name in stores.bound(by: match.pattern) {
                add(name, at: match.start, body: rest, end: end, isTaken: emptied != nil, emptied)
            }
        default: return
        }
    }

    private func take(
        _ name: String,
        _ position: Int,
        from value: ExprSyntax,
        rest: ArraySlice<CodeBlockItemSyntax>,
        end: Int
    ) {
        let source = value.unwrapped
        if let call = source.as(FunctionCallExprSyntax.self) {
            guard let called = call.calledName else { return }
            if call.isLockedSection, let section = call.trailingClosure {
                let isStored = section.statements.identifiers.contains { stores.properties.contains($0) }
                guard Names.isContinuation(name) || isStored && rest.resumes(name) else { return }
                add(name, at: position, body: rest, end: end, isTaken: section.statements.takesOut)
                return
            }
            let takes = ["removeValue", "removeFirst", "popFirst", "popLast", "removeLast", "take"].contains(called)
            guard takes, call.calledExpression.root.identifier != nil else { return }
            let store = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.changedName
            guard Names.isContinuation(name) || store.map({ stores.collections.contains($0) }) == true else { return }
            add(name, at: position, body: rest, end: end, isTaken: true)
            return
        }
        let property = source.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? source.identifier
        guard let property else { return }
        let emptied = rest.emptying(named: property)
        // A parameter of the property's name is another thing.
        let isParameter = source.identifier.map { parameters.contains($0) } ?? false
        if Names.isContinuation(property) || stores.properties.contains(property) && !isParameter {
            add(name, at: position, body: rest, end: end, isTaken: emptied != nil, emptied)
        } else if Names.isCompletion(property), !isParameter, emptied != nil {
            // Who only looks at a handler may do so as often as he likes.
            add(name, at: position, body: rest, end: end, isTaken: true, emptied, isContinuation: false)
        }
    }

    private func add(
        _ name: String,
        at position: Int,
        body: ArraySlice<CodeBlockItemSyntax>,
        end: Int,
        isTaken: Bool,
        _ emptying: Int? = nil,
        isContinuation: Bool = true
    ) {
        guard name != "_", !body.isEmpty else { return }
        extractions.append(
            Extraction(
                name: name,
                position: position,
                body: body,
                end: end,
                isTaken: isTaken,
                isContinuation: isContinuation,
                emptying: emptying
            )
        )
    }
}

extension FunctionCallExprSyntax {
    /// Whether it runs its closure with a lock, and answers what that answers.
    fileprivate var isLockedSection: Bool {
        guard trailingClosure != nil, let called = calledName else { return false }
        return called.hasPrefix("withLock") || ["sync", "mutate", "modify", "write", "withValue"].contains(called)
    }
}

extension CodeBlockItemListSyntax {
    /// Whether one of the statements changes something: the continuation is no longer there.
    fileprivate var takesOut: Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            switch token.tokenKind {
            case .equal: token.parent?.is(AssignmentExprSyntax.self) == true
            case .identifier(let name): name.hasPrefix("remove") || name.hasPrefix("pop") || name == "take"
            default: false
            }
        }
    }
}

extension SwitchCaseSyntax {
    /// What the `switch` looks at.
    fileprivate var subject: ExprSyntax? { parent?.parent?.as(SwitchExprSyntax.self)?.subject }
}

extension Collection<CodeBlockItemSyntax> {
    /// Whether one of the statements resumes what has this name.
    fileprivate func resumes(_ name: String) -> Bool {
        contains { item in
            item.tokens(viewMode: .sourceAccurate).contains { token in
                guard token.text == "resume", let member = token.parent?.parent?.as(MemberAccessExprSyntax.self) else {
                    return false
                }
                return member.base?.unwrapped.identifier == name
            }
        }
    }

    /// Where one of the statements itself, or of a `defer`, assigns something of this name.
    fileprivate func emptying(named name: String) -> Int? {
        for item in self {
            if let later = item.item.as(DeferStmtSyntax.self), later.body.statements.emptying(named: name) != nil {
                return item.start
            }
            guard let sequence = item.item.as(SequenceExprSyntax.self),
                case .assignment(let target, true, _) = Operation(Array(sequence.elements)), target.count == 1,
                target[0].changedName == name
            else { continue }
            return item.start
        }
        return nil
    }

    fileprivate func emptying(_ subject: ExprSyntax) -> Int? {
        if let name = subject.changedName { return emptying(named: name) }
        return subject.identifier == "self" ? emptying(named: "self") : nil
    }
}
