// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce
import SwiftSyntax

/// Finds the functions whose twins are all that is called, and puts the twins in their places.
package struct CompletionDropper {
    private let functions: [PlannedFunction]
    private let allowsPublic: Bool
    private let isEdited: (PlannedFunction) -> Bool
    private var uses = NameUses()
    /// What types conform to or inherit from.
    private var inherited: [String: Set<String>] = [:]
    private var types: Set<String> = []
    /// The functions of protocols, and those that override others, by name and labels.
    private var bound: Set<String> = []

    /// Looks at who calls what.
    ///
    /// - Parameters:
    ///   - plan: The functions with their twins.
    ///   - files: The files of all modules, as they are now.
    ///   - others: Those that no module has, such as tests, which may call them, too.
    ///   - allowsPublic: Whether functions go that other packages may call.
    ///   - isEdited: Whether somebody has changed the twin of a function.
    package init(
        _ plan: Plan,
        _ files: [FileFacts],
        others: [SourceFile],
        allowsPublic: Bool,
        isEdited: @escaping (PlannedFunction) -> Bool = { _ in false }
    ) {
        functions = plan.functions.filter { $0.isTwin && $0.rung.errors == nil }
        self.allowsPublic = allowsPublic
        self.isEdited = isEdited
        let names = Set(functions.map(\.name))
        for file in files.map(\.file) + others { uses.add(file, names: names) }
        for declarations in files.map(\.declarations) {
            inherited.merge(declarations.inherited) { $0.union($1) }
            types.formUnion(declarations.types.keys)
            let bound = declarations.functions.filter { $0.context.kind == .protocol || $0.node.isOverride }
            self.bound.formUnion(bound.map(Self.key))
        }
    }

    private static func key(_ function: DeclaredFunction) -> String { "\(function.name)(\(function.labels))" }

    /// The functions of a file that have twins, in its order.
    package func sites(in file: FileFacts) -> [CompletionSite] {
        functions.filter { $0.path == file.file.path }.map { planned in
            CompletionSite(
                path: planned.path,
                location: planned.location,
                title: planned.title,
                outcome: outcome(planned, in: file)
            )
        }
    }

    private func outcome(_ planned: PlannedFunction, in file: FileFacts) -> CompletionSite.Outcome {
        if planned.access == .public, !allowsPublic { return .kept(.isPublic) }
        if planned.handlers.count != 1 { return .kept(.severalHandlers) }
        let function = planned.function
        guard function.context.conditions.isEmpty else { return .kept(.conditions) }
        if bound.contains(Self.key(function)) || !isOnlyOfThisPackage(function.context) {
            return .kept(.belongsToOthers)
        }
        // Nothing tells overloads apart that differ in types.
        if functions.count(where: { $0.title == planned.title }) > 1 { return .kept(.isCalled) }
        if uses.mayCall(function.name, function.parameters.map(CallParameter.init)) { return .kept(.isCalled) }
        if uses.mayName(function.name) { return .kept(.isNamed) }
        if isEdited(planned) { return .kept(.isEdited) }
        // The file may have been written anew since it was planned.
        let same = file.declarations.functions.filter {
            $0.title == planned.title
                && $0.node.signature.trimmedDescription == function.node.signature.trimmedDescription
        }
        guard same.count == 1 else { return .kept(.conditions) }
        do throws(AsyncForm.Obstacle) {
            return .dropped(try AsyncForm(planned, as: same[0].node).edit(of: file.file))
        } catch {
            return .kept(error.reason)
        }
    }

    /// Whether no other module's type or protocol can ask for the members of a type.
    private func isOnlyOfThisPackage(_ context: DeclarationContext) -> Bool {
        guard context.kind != .file else { return true }
        guard context.kind != .protocol, types.contains(context.typeName) else { return false }
        var seen: Set<String> = []
        var waiting = [context.typeName]
        while let name = waiting.popLast() {
            for other in inherited[name] ?? [] where seen.insert(other).inserted {
                if types.contains(other) {
                    waiting.append(other)
                } else if !Self.plainProtocols.contains(other.replacing("Swift.", with: "")) {
                    return false
                }
            }
        }
        return true
    }

    /// Those that ask for no function with a handler, and raw types.
    private static let plainProtocols: Set<String> = [
        "Sendable", "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable", "Error", "Identifiable",
        "LocalizedError", "CustomStringConvertible", "CustomDebugStringConvertible", "CaseIterable", "RawRepresentable",
        "AnyObject", "Actor", "String", "Int", "ObservableObject", "Copyable", "Escapable", "~Copyable",
    ]
}

extension FunctionDeclSyntax {
    fileprivate var isOverride: Bool { modifiers.contains { $0.name.text == "override" } }
}
