// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Knowledge {
    /// What a project's files tell together: which type names stand for handlers, and what functions do with theirs.
    package init(of files: [SourceFile], apis: APITable) {
        self.apis = apis
        for file in files {
            let finder = HandlerTypeFinder(viewMode: .sourceAccurate)
            finder.walk(file.tree)
            handlerTypes.formUnion(finder.names)
            optionalHandlerTypes.formUnion(finder.optionals)
            continuationTypes.formUnion(finder.continuations)
            neverReturning.formUnion(finder.neverReturning)
            returning.formUnion(finder.returning)
        }
        let known = self
        for file in files { summaries.add(functionsOf: file, knowledge: known) }
    }
}

/// Finds `typealias Handler = (Result<Data, any Error>) -> Void`, and `func fail() -> Never`.
private final class HandlerTypeFinder: SyntaxVisitor {
    var names: Set<String> = []
    var optionals: Set<String> = []
    var continuations: Set<String> = []
    var neverReturning: Set<String> = []
    var returning: Set<String> = []

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.signature.returnClause?.type.key == "Never" || node.endsTheProgram {
            neverReturning.insert(node.name.text)
        } else {
            returning.insert(node.name.text)
        }
        return .visitChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        if let type = ContinuationType(node.initializer.value), !type.isCollection, !type.isOptional {
            continuations.insert(node.name.text)
        }
        if let shape = HandlerShape(node.initializer.value, Knowledge()) {
            names.insert(node.name.text)
            if shape.isOptional { optionals.insert(node.name.text) }
        }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

extension FunctionDeclSyntax {
    /// Whether its last statement is `exit(…)`, and it has no way out before.
    fileprivate var endsTheProgram: Bool {
        guard let body, case .expr(let last)? = body.statements.last?.item,
            let name = last.as(FunctionCallExprSyntax.self)?.calledExpression.as(DeclReferenceExprSyntax.self)?
                .baseName,
            ["exit", "_exit", "abort"].contains(name.text)
        else { return false }
        return !body.tokens(viewMode: .sourceAccurate).contains {
            [.keyword(.return), .keyword(.throw), .keyword(.try)].contains($0.tokenKind)
        }
    }
}
