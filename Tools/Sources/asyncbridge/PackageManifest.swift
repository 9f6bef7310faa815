// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Foundation
import SwiftParser
import SwiftSyntax

/// What a `Package.swift` says of its targets.
///
/// It is read, not run.
enum PackageManifest {
    struct Target: Hashable {
        var name: String
        var isTest: Bool
        /// Whether code of the package may call its functions, and may have `async` code: no plug-in, no macro.
        var isLibraryOrProgram: Bool
        /// Where its sources may be, relative to the package.
        var folders: [String]
        /// What is in the folder and does not belong to the target.
        var excluded: [String]
        /// The only files and folders that belong to the target; empty for all.
        var sources: [String]

        /// Whether a file belongs to the target, whose folder is given.
        func owns(_ path: String, in folder: String) -> Bool {
            func isIn(_ entry: String) -> Bool {
                let entry = Inputs.join(folder, Inputs.tidy(entry))
                return entry == folder || path == entry || path.hasPrefix(entry + "/")
            }
            return !excluded.contains(where: isIn) && (sources.isEmpty || sources.contains(where: isIn))
        }
    }

    static func targets(in text: String) -> [Target] {
        guard BracketNesting.excess(in: text.utf8) == nil else { return [] }
        let visitor = TargetVisitor(viewMode: .sourceAccurate)
        visitor.walk(Parser.parse(source: text))
        return visitor.targets
    }

    /// The version of the package manager that the first line asks for; `nil` if it asks for none.
    static func toolsVersion(in text: String) -> (major: Int, minor: Int)? {
        guard let line = text.firstMatch(of: /^\s*\/\/\s*swift-tools-version\s*:\s*(\d+)(?:\.(\d+))?/.ignoresCase()),
            let major = Int(line.1)
        else { return nil }
        return (major, line.2.flatMap { Int($0) } ?? 0)
    }

    /// The only target that is no test and no plug-in, if there is just one.
    static func onlyTarget(in text: String) -> Target? {
        let targets = targets(in: text).filter(\.isLibraryOrProgram)
        return targets.count == 1 ? targets[0] : nil
    }

    private final class TargetVisitor: SyntaxVisitor {
        var targets: [Target] = []

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return .visitChildren }
            let kind = member.declName.baseName.text
            let parents: [String]
            switch kind {
            case "target", "executableTarget", "macro": parents = ["Sources", "Source", "src", "srcs"]
            case "testTarget": parents = ["Tests", "Sources", "Source", "src", "srcs"]
            case "plugin": parents = ["Plugins"]
            default: return .visitChildren
            }
            guard let name = text(of: "name", in: node) else { return .visitChildren }
            // A product or a dependency has no sources: only calls in `targets:` count.
            let isTarget = node.arguments.contains { ["path", "dependencies", "name"].contains($0.label?.text) }
            guard isTarget, !isInDependencies(node) else { return .visitChildren }
            let folders = text(of: "path", in: node).map { [$0] } ?? parents.map { "\($0)/\(name)" }
            targets.append(
                Target(
                    name: name,
                    isTest: kind == "testTarget",
                    isLibraryOrProgram: ["target", "executableTarget"].contains(kind),
                    folders: folders,
                    excluded: texts(of: "exclude", in: node),
                    sources: texts(of: "sources", in: node)
                )
            )
            return .visitChildren
        }

        private func text(of label: String, in call: FunctionCallExprSyntax) -> String? {
            let value = call.arguments.first { $0.label?.text == label }?.expression
            return value?.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }

        private func texts(of label: String, in call: FunctionCallExprSyntax) -> [String] {
            let value = call.arguments.first { $0.label?.text == label }?.expression
            return value?.as(ArrayExprSyntax.self)?.elements.compactMap {
                $0.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            } ?? []
        }

        private func isInDependencies(_ node: FunctionCallExprSyntax) -> Bool {
            var parent = node.parent
            while let current = parent {
                if let argument = current.as(LabeledExprSyntax.self), argument.label?.text == "dependencies" {
                    return true
                }
                parent = current.parent
            }
            return false
        }
    }
}
