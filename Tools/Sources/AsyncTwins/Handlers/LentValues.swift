// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import SwiftSyntax

/// The classes whose objects a package lends to closures.
///
/// A function lends an object if it takes a closure that gets the object, and returns what the closure returns:
/// `func read<T>(_ value: (Database) throws -> T) throws -> T`. After the closure has returned, the object belongs to
/// others again. So a handler that gets one must not pass it on, and a twin would return it.
struct LentValues: Sendable {
    /// The function that lends objects of a class, by the name of the class.
    private var lenders: [String: String] = [:]
    private var classes: Set<String> = []

    mutating func add(_ declarations: FileDeclarations) {
        classes.formUnion(declarations.classes)
        for function in declarations.functions {
            for type in function.lentTypes where lenders[type] == nil { lenders[type] = function.title }
        }
    }

    /// What a function's handlers get and may use only until they return; `nil` if they may keep everything.
    func first(
        in function: DeclaredFunction,
        handlers: [Int],
        _ meanings: [String: TypeSyntax],
        _ apis: APITable
    ) -> Lent? {
        let type = function.context.path.last
        for index in handlers {
            let parameter = function.parameters[index]
            for name in parameter.type.valueNames(meanings) {
                if name.isUnsafePointer { return .pointer(type: name) }
                if classes.contains(name), let lender = lenders[name] { return .object(type: name, lender: lender) }
            }
            if apis.lends(function.name, on: type, label: parameter.firstName.text) {
                return .own(function.title)
            }
            if let lender = LentArguments.lender(ofHandler: parameter.innerName.text, in: function.node, apis) {
                return .argument(lender: lender)
            }
        }
        return nil
    }

    /// Something that is lent.
    enum Lent {
        /// A pointer: always.
        case pointer(type: String)
        /// An object of a class of which another function lends objects.
        case object(type: String, lender: String)
        /// What the function itself brings: the table of APIs says so.
        case own(String)
        /// What the function was lent by one that is in the table of APIs.
        case argument(lender: String)

        /// Why there is no twin, and what to write instead.
        var message: String {
            let (reason, type) =
                switch self {
                case .pointer(let type): ("what '\(type)' points to is there only until the handler returns", type)
                case .object(let type, let lender):
                    ("objects of '\(type)' are lent to closures, as by '\(lender)'", type)
                case .own(let title): ("'\(title)' is among the APIs that lend what their closures get", "Value")
                case .argument(let lender): ("it passes on what '\(lender)' only lends to its closure", "Value")
                }
            return "\(reason), and a twin would return one that may not be used any more. Write an async function that "
                + "takes a closure, '(\(type)) throws -> T', calls it in the handler, and returns what it returns"
        }
    }
}

extension DeclaredFunction {
    /// The types of what it lends to its closures.
    fileprivate var lentTypes: [String] {
        guard !isInitializer, let result = node.signature.returnClause?.type.withoutLayers.trimmedDescription,
            node.genericParameterClause?.parameters.contains(where: { $0.name.text == result }) == true
        else { return [] }
        return parameters.compactMap { $0.type.withoutLayers.as(FunctionTypeSyntax.self) }
            .filter { $0.returnClause.type.withoutLayers.trimmedDescription == result }
            .flatMap { closure in closure.parameters.compactMap { $0.type.withoutLayers.path.last } }
    }
}

extension TypeSyntax {
    /// The names of the types of which a handler gets values.
    fileprivate func valueNames(_ meanings: [String: TypeSyntax]) -> [String] {
        handlerFunction(meanings)?.parameters.compactMap { parameter in
            let type = parameter.type.withoutLayers
            return (type.successOfResult ?? type).withoutLayers.path.last
        } ?? []
    }

    /// What a `Result` brings.
    private var successOfResult: TypeSyntax? {
        guard path.last == "Result", let type = self.as(IdentifierTypeSyntax.self) else { return nil }
        return type.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
    }
}

extension String {
    /// Whether it names one of the standard library's pointers, or a buffer of them.
    fileprivate var isUnsafePointer: Bool { hasPrefix("Unsafe") && hasSuffix("Pointer") }
}
