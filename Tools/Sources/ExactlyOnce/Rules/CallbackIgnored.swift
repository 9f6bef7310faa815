// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// A callback of which the task that waits never hears.
struct CallbackIgnored: Rule {
    static let page = RulePage(
        id: "callback-ignored",
        summary: "A callback brings an error or an end, and does not resume the continuation that its object keeps.",
        levels: "warning",
        why: """
            The object keeps a continuation for the callbacks that follow. If one of them brings an error, no further
            one comes: the task hangs for ever.
            """,
        bad: """
            private let continuation: CheckedContinuation<Device, any Error>

            func central(_ central: Central, didFind services: [Service], error: (any Error)?) {
                if let error {
                    log(error)
                    return
                }
                continuation.resume(returning: Device(services))
            }
            """,
        good: """
            private let continuation: CheckedContinuation<Device, any Error>

            func central(_ central: Central, didFind services: [Service], error: (any Error)?) {
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(returning: Device(services))
            }
            """,
        instead: """
            private let reply = ReplySlot<Device>()

            func central(_ central: Central, didFind services: [Service], error: (any Error)?) {
                reply.resume(with: error.map { .failure($0) } ?? .success(Device(services)))
            }
            """,
        limits:
            "It looks at parameters with the name `error`, at empty functions whose names tell of an end, and, where the "
            + "object is made for one continuation, at what a `guard` leaves silently that needs a value."
    )

    func findings(in file: SourceFile) -> [Finding] {
        let stored = StoredProperties.byType(in: file)
        guard !stored.isEmpty else { return [] }
        let finder = IgnoredCallbackFinder(file, stored)
        finder.walk(file.tree)
        return finder.findings
    }
}

/// Looks at each callback of a type that keeps a continuation.
private final class IgnoredCallbackFinder: SyntaxVisitor {
    private let file: SourceFile
    private let stored: [String: [StoredProperties.Property]]
    private var types: [String] = []
    private(set) var findings: [Finding] = []

    init(_ file: SourceFile, _ stored: [String: [StoredProperties.Property]]) {
        self.file = file
        self.stored = stored
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let type = types.last, let property = stored[type]?.first, stored[type]?.count == 1, let body = node.body
        else { return .visitChildren }
        let hasError = node.signature.parameterClause.parameters.contains {
            ($0.secondName ?? $0.firstName).text == "error"
        }
        if body.statements.isEmpty {
            if hasError || node.announcesAnEnd { report(node.name.start, property, in: node) }
        } else if file.identifiers.contains(property.name, in: body) {
            for item in body.statements { look(at: item, hasError: hasError, property, in: node) }
            lookAtEnd(of: body.statements, property, in: node)
        }
        return .visitChildren
    }

    /// `if let error { return }`, `guard error == nil else { return }`: an error, of which nothing is made.
    private func look(
        at item: CodeBlockItemSyntax,
        hasError: Bool,
        _ property: StoredProperties.Property,
        in function: FunctionDeclSyntax
    ) {
        let conditions: ConditionElementListSyntax
        let body: CodeBlockItemListSyntax
        var isGuard = false
        if let branch = item.item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self) {
            (conditions, body) = (branch.conditions, branch.body.statements)
        } else if let check = item.item.as(GuardStmtSyntax.self) {
            (conditions, body) = (check.conditions, check.body.statements)
            isGuard = true
        } else {
            return
        }
        guard body.leavesAtOnce, !file.identifiers.contains(property.name, in: body) else { return }
        let asksForError = conditions.count == 1 && conditions.first?.condition.asksForError(isGuard: isGuard) == true
        // An object that is made for one continuation has nobody else to resume it.
        let needsValue = isGuard && !property.isOptional && conditions.contains(where: \.condition.needsValue)
        if hasError && asksForError || needsValue { report(item.start, property, in: function) }
    }

    /// A function that ends with a `guard` has lost what came behind it.
    private func lookAtEnd(
        of statements: CodeBlockItemListSyntax,
        _ property: StoredProperties.Property,
        in function: FunctionDeclSyntax
    ) {
        guard !property.isOptional, let last = statements.last, let check = last.item.as(GuardStmtSyntax.self),
            file.identifiers.contains(property.name, in: check.body)
        else { return }
        report(last.start, property, in: function)
    }

    private func report(_ position: Int, _ property: StoredProperties.Property, in function: FunctionDeclSyntax) {
        findings.append(
            Finding(
                rule: CallbackIgnored.page.id,
                level: property.isUnsafe ? .note : .warning,
                message: "continuation ‘\(property.name)’ is not resumed by this callback",
                path: file.path,
                location: file.location(of: position),
                token: property.name,
                declaration: (types + [function.name.text + function.signature.parameterClause.labels])
                    .joined(separator: ".")
            )
        )
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
    override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        types.append(name)
        return .visitChildren
    }
}

extension FunctionDeclSyntax {
    /// Whether its name or labels say that something failed or ended.
    fileprivate var announcesAnEnd: Bool {
        let text = name.text + signature.parameterClause.parameters.map(\.firstName.text).joined(separator: " ")
        return ["Fail", "Cancel", "Finish", "Complete", "didEnd", "Disconnect"].contains { text.contains($0) }
    }
}

extension CodeBlockItemListSyntax {
    /// Whether it is only a `return`, perhaps after a call that writes a log.
    fileprivate var leavesAtOnce: Bool {
        guard let last, last.item.is(ReturnStmtSyntax.self) else { return false }
        return dropLast().allSatisfy { item in
            let text = item.trimmedDescription.lowercased()
            return ["log", "print", "debug"].contains { text.hasPrefix($0) || text.contains("." + $0) }
        }
    }
}

extension ConditionElementSyntax.Condition {
    /// Whether it takes a value that may be absent, other than `self`.
    fileprivate var needsValue: Bool {
        guard case .optionalBinding(let binding) = self else { return false }
        return binding.pattern.boundNames.first != "self" && binding.initializer != nil
    }

    /// Whether there is an error where the body of an `if`, or of a `guard`, begins.
    fileprivate func asksForError(isGuard: Bool) -> Bool {
        switch self {
        case .optionalBinding(let binding):
            let source = binding.initializer?.value.unwrapped.identifier ?? binding.pattern.boundNames.first
            return !isGuard && source == "error"
        case .expression(let expression):
            guard let sequence = expression.bare.as(SequenceExprSyntax.self),
                case .comparison(let left, let isEqual, let right) = Operation(Array(sequence.elements)),
                left.count == 1, right.count == 1, left[0].unwrapped.identifier == "error", right[0].isNil
            else { return false }
            return isEqual == isGuard
        default: return false
        }
    }
}
