// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

extension AttributeListSyntax {
    /// The attributes, without those in `#if`.
    var written: [AttributeSyntax] { self.compactMap { $0.as(AttributeSyntax.self) } }

    func contains(named name: String) -> Bool { self.written.contains { $0.name == name } }

    /// The attributes that mean the same on a twin, in source form.
    ///
    /// The others speak of one body or one selector. A deprecation may name another function, whose twin has other
    /// `labels`.
    func travelling(toTwinNamed twin: String, labels: @escaping ([String]) -> [String] = { $0 }) -> [String] {
        let renamed = RenamedFunctions(labels: labels)
        return self.compactMap { element in
            switch element {
            case .attribute(let attribute):
                return attribute.travels(toTwinNamed: twin) ? renamed.text(of: attribute) : nil
            case .ifConfigDecl(let condition):
                return condition.attributesTravel(toTwinNamed: twin) ? renamed.text(of: condition) : nil
            }
        }
    }
}

extension AttributeSyntax {
    /// The name without a module: `available`, `MainActor` of `Swift.MainActor` and of `_Concurrency::MainActor`.
    var name: String {
        let name = self.attributeName.trimmedDescription
        return name.split { $0 == "." || $0 == ":" }.last.map(String.init) ?? name
    }

    /// Whether it names a global actor, at a type, as far as a name tells.
    ///
    /// At a type there are many other attributes in upper case: macros.
    var isGlobalActor: Bool { self.name.hasSuffix("Actor") && self.arguments == nil }

    /// Whether it names a global actor, at a function, as far as a name tells: it is in upper case, has no arguments,
    /// and is not known to be something else.
    var isActorOfFunction: Bool {
        guard self.arguments == nil, self.name.first?.isUppercase == true else { return false }
        let others: Set = [
            "Sendable", "IBAction", "IBSegueAction", "NSManaged", "Test", "Suite", "DelegateReply", "Tool", "Mock",
        ]
        // Of macros that write a function, and of result builders.
        let endings = ["Builder", "Async", "Await", "Completion", "Handler", "Macro", "Publisher", "Promise", "Future"]
        return self.isGlobalActor
            || !others.contains(self.name) && !self.name.hasPrefix("Add") && !self.name.hasPrefix(HubNames.bridged)
                && !endings.contains(where: self.name.hasSuffix)
    }

    /// Whether it is `@convention(c)`, or another one of functions without a context.
    var isCConvention: Bool {
        self.name == "convention" && self.arguments.map { !$0.trimmedDescription.hasPrefix("block") } == true
    }

    fileprivate func travels(toTwinNamed twin: String) -> Bool {
        switch self.name {
        case "available": !self.recommends(twin) && !self.availability.contains("noasync")
        case "_spi", "_documentation", "_disfavoredOverload", "backDeployed": true
        default: self.isActorOfFunction
        }
    }

    /// Whether it is a deprecation that sends the reader to the very twin.
    private func recommends(_ twin: String) -> Bool {
        guard case .availability(let arguments)? = self.arguments else { return false }
        return arguments.contains { item in
            guard case .availabilityLabeledArgument(let argument) = item.argument, argument.label.text == "renamed",
                case .string(let name) = argument.value
            else { return false }
            let renamed = name.segments.trimmedDescription
            return renamed == twin || renamed.hasPrefix(twin + "(")
        }
    }

    /// Whether nothing may call the declaration.
    var forbidsUse: Bool {
        let words = self.availability
        return words.contains("unavailable") && words.contains("*")
    }

    /// The words of `@available` that stand alone: `*`, `deprecated`, `noasync`.
    private var availability: [String] {
        guard self.name == "available", case .availability(let arguments)? = self.arguments else { return [] }
        return arguments.compactMap { $0.argument.as(TokenSyntax.self)?.text }
    }
}

extension IfConfigDeclSyntax {
    fileprivate func attributesTravel(toTwinNamed twin: String) -> Bool {
        self.clauses.allSatisfy { clause in
            guard case .attributes(let attributes)? = clause.elements else { return clause.elements == nil }
            return attributes.travelling(toTwinNamed: twin).count == attributes.count
        }
    }
}
#endif
