// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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

    /// The first type of which a function's handlers get a value that they may use only until they return.
    ///
    /// - Returns: The type, and the function that lends it to others; `nil` for a pointer, which is always lent.
    func first(in function: DeclaredFunction, handlers: [Int], _ meanings: [String: TypeSyntax]) -> Lent? {
        for index in handlers {
            for name in function.parameters[index].type.valueNames(meanings) {
                if name.isUnsafePointer { return Lent(type: name, lender: nil) }
                guard classes.contains(name), let lender = lenders[name] else { continue }
                return Lent(type: name, lender: lender)
            }
        }
        return nil
    }

    /// A type that is lent.
    struct Lent {
        let type: String
        let lender: String?

        /// Why there is no twin, and what to write instead.
        var message: String {
            let reason =
                lender.map { "objects of '\(type)' are lent to closures, as by '\($0)'" }
                ?? "what '\(type)' points to is there only until the handler returns"
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
