// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A contact in the vCard format, version 4.0 (RFC 6350).
///
/// Keeps every property in its order, known or not: what was read is what is written. Only the form changes: lines are
/// folded anew, and quotes stand around parameters that need them.
public struct VCard: Hashable, Sendable {
    /// The properties, without `BEGIN`, `VERSION` and `END`.
    public var properties: [Property]

    /// Makes a card.
    ///
    /// - Parameter properties: The properties. One of them must be `FN`.
    public init(properties: [Property]) { self.properties = properties }

    /// The name to show: the first `FN`.
    public var formattedName: String { self.first("FN")?.text ?? "" }

    /// The identifier that stays the same when the card changes, if it has one.
    ///
    /// An empty one identifies nothing.
    public var uid: String? { self.first("UID").map(\.text).flatMap { $0.isEmpty ? nil : $0 } }

    /// The properties with a name, in their order.
    ///
    /// - Parameter name: The name; case does not matter.
    /// - Returns: None if there is no such property.
    public func all(_ name: String) -> [Property] { self.properties.filter { $0.isNamed(name) } }

    /// The first property with a name.
    ///
    /// - Parameter name: The name; case does not matter.
    /// - Returns: `nil` if there is no such property.
    public func first(_ name: String) -> Property? { self.properties.first { $0.isNamed(name) } }
}

extension VCard {
    /// One line of a card: a name, parameters and a value.
    public struct Property: Hashable, Sendable {
        /// What ties several properties together: `home` in `home.TEL:…`.
        public var group: String?

        /// The name, as it was written; compare it with ``isNamed(_:)``.
        public var name: String

        /// The parameters, in their order.
        public var parameters: [Parameter]

        /// The value as it stands in the file, with its escapes.
        ///
        /// Which characters are separators depends on the property, and a property may be unknown.
        public var rawValue: String

        /// Makes a property of a value that is already escaped.
        public init(group: String? = nil, name: String, parameters: [Parameter] = [], rawValue: String) {
            self.group = group
            self.name = name
            self.parameters = parameters
            self.rawValue = rawValue
        }

        /// Makes a property of one text.
        public init(_ name: String, text: String) {
            self.init(name: name, rawValue: Escapes.escaped(text))
        }

        /// The value as one text, without escapes.
        public var text: String { Escapes.unescaped(self.rawValue.utf8[...]) }

        /// The texts of a list, which commas separate: `NICKNAME:Jim,Jimmie`.
        public var texts: [String] { self.parts(between: UInt8(ascii: ",")) }

        /// The parts of a structured value, which semicolons separate: `N:Public;John;Quinlan;Mr.;Esq.`.
        public var components: [String] { self.parts(between: UInt8(ascii: ";")) }

        /// Compares names as the format does.
        ///
        /// - Parameter name: The name; case does not matter.
        /// - Returns: Whether it is this property's.
        public func isNamed(_ name: String) -> Bool { Names.areEqual(self.name, name) }

        /// The values of all parameters with a name.
        ///
        /// - Parameter name: The name; case does not matter.
        /// - Returns: The values, in their order.
        public func values(ofParameter name: String) -> [String] {
            self.parameters.filter { Names.areEqual($0.name, name) }.flatMap(\.values)
        }

        private func parts(between separator: UInt8) -> [String] {
            Escapes.parts(of: self.rawValue.utf8[...], between: separator).map(Escapes.unescaped)
        }
    }

    /// One parameter of a property: `TYPE=home,voice`.
    public struct Parameter: Hashable, Sendable {
        /// The name, as it was written.
        public var name: String

        /// The values, without quotes and escapes.
        public var values: [String]

        /// Makes a parameter.
        public init(_ name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }
}

/// Names are compared without case, and only in ASCII, of which they consist.
enum Names {
    static func areEqual(_ first: String, _ second: String) -> Bool {
        // Loops, here and below: a closure for each byte takes most of the time that a large file takes.
        var others = second.utf8.makeIterator()
        for byte in first.utf8 {
            guard let other = others.next(), Self.lowercased(byte) == Self.lowercased(other) else { return false }
        }
        return others.next() == nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
