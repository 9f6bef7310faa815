// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Finds where code waits for semaphores and groups.
final class SemaphoreFinder: SyntaxVisitor {
    struct Wait {
        var semaphore: String
        var position: Int
        var hasTimeout: Bool
        var isInAsyncCode: Bool
        var isSignalledByTask: Bool
        var declaration: String

        func finding(_ rule: any Rule.Type, _ level: Level, _ message: String, in file: SourceFile) -> Finding {
            Finding(
                rule: rule.page.id,
                level: level,
                message: message,
                path: file.path,
                location: file.location(of: position),
                token: semaphore,
                declaration: declaration
            )
        }
    }

    private enum Context {
        case function(name: String, isAsync: Bool)
        case task
        case closure
    }

    private var waits: [Wait] = []
    private var contexts: [Context] = []
    /// The semaphores that tasks of the enclosing functions signal.
    private var signalled: [Set<String>] = []

    static func waits(in file: SourceFile) -> [Wait] {
        guard file.identifiers.contains("wait", in: file.tree) else { return [] }
        let finder = SemaphoreFinder(viewMode: .sourceAccurate)
        finder.walk(file.tree)
        return finder.waits
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let isAsync = node.signature.effectSpecifiers?.asyncSpecifier != nil
        contexts.append(.function(name: node.name.text, isAsync: isAsync))
        signalled.append([])
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) {
        contexts.removeLast()
        signalled.removeLast()
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        contexts.append(isTask(node) ? .task : .closure)
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) { contexts.removeLast() }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            ["signal", "leave", "wait"].contains(member.declName.baseName.text),
            let name = member.base?.unwrapped.changedName
        else { return .visitChildren }
        switch member.declName.baseName.text {
        case "signal", "leave":
            if isInTask, let last = signalled.indices.last { signalled[last].insert(name) }
        case "wait" where isSemaphore(name):
            // An `await` before it means another type of that name.
            guard !node.isAwaited else { return .visitChildren }
            waits.append(
                Wait(
                    semaphore: name,
                    position: node.start,
                    hasTimeout: !node.arguments.isEmpty,
                    isInAsyncCode: isInAsyncCode,
                    isSignalledByTask: !isInTask && signalled.last?.contains(name) == true,
                    declaration: declaration
                )
            )
        default: break
        }
        return .visitChildren
    }

    // MARK: Where the code is

    private var isInTask: Bool {
        contexts.reversed().prefix { if case .function = $0 { false } else { true } }
            .contains { if case .task = $0 { true } else { false } }
    }

    private var isInAsyncCode: Bool {
        switch contexts.last {
        case .function(_, let isAsync)?: isAsync
        case .task?: true
        case .closure?, nil: false
        }
    }

    private var declaration: String {
        contexts.compactMap { if case .function(let name, _) = $0 { name } else { nil } }.joined(separator: ".")
    }

    private func isSemaphore(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return lowered == "group" || Names.semaphoreWords.contains { lowered.contains($0) }
    }

    private func isTask(_ closure: ClosureExprSyntax) -> Bool {
        guard let call = closure.parent?.as(FunctionCallExprSyntax.self) else { return false }
        return call.calledName == "Task"
            || call.calledName == "detached" && call.calledExpression.root.identifier == "Task"
    }
}

extension FunctionCallExprSyntax {
    fileprivate var isAwaited: Bool {
        var node = Syntax(self)
        while let parent = node.parent, parent.is(ExprSyntax.self) {
            if parent.is(AwaitExprSyntax.self) { return true }
            node = parent
        }
        return false
    }
}
