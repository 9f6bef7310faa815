// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Takes a line apart: `group.NAME;PARAMETER=value,"value":value`.
struct PropertyReader {
    private var rest: ArraySlice<UInt8>
    private let line: Int
    private let version: Version

    /// Reads a whole line of a card of some version.
    ///
    /// - Returns: A property of version 4.0.
    static func read(
        _ line: ContentLines.Line,
        _ version: Version = .four,
        _ limits: VCard.Limits
    ) throws(VCardError) -> VCard.Property {
        var reader = PropertyReader(rest: line.bytes[...], line: line.number, version: version)
        return try reader.property(limits)
    }

    private mutating func property(_ limits: VCard.Limits) throws(VCardError) -> VCard.Property {
        var group: String?
        var name = try self.name()
        if self.take(".") {
            group = name
            name = try self.name()
        }
        var parameters: [VCard.Parameter] = []
        while self.take(";") {
            guard parameters.count < limits.parameters else {
                throw self.error("There are more than \(limits.parameters) parameters.")
            }
            parameters.append(try self.parameter(limits))
        }
        guard self.take(":") else { throw self.error("A ':' is missing behind '\(name)'.") }
        var property = VCard.Property(group: group, name: name, parameters: parameters, rawValue: "")
        if self.version != .four {
            return try OldProperty.converted(property, value: Array(self.rest), self.version, line: self.line)
        }
        property.rawValue = String(decoding: self.rest, as: UTF8.self)
        return property
    }

    private mutating func parameter(_ limits: VCard.Limits) throws(VCardError) -> VCard.Parameter {
        let name = try self.name()
        guard self.take("=") else {
            // `TEL;HOME:` of version 2.1, which some cards of version 3.0 have too.
            if self.version != .four { return VCard.Parameter("TYPE", values: [name]) }
            throw self.error("The parameter '\(name)' has no '=' and no value.")
        }
        var values = [try self.parameterValue(of: name)]
        while self.take(",") {
            guard values.count < limits.parameters else {
                throw self.error("'\(name)' has more than \(limits.parameters) values.")
            }
            values.append(try self.parameterValue(of: name))
        }
        return VCard.Parameter(name, values: values)
    }

    private mutating func parameterValue(of name: String) throws(VCardError) -> String {
        if self.take("\"") {
            let value = self.rest.prefix { $0 != UInt8(ascii: "\"") }
            self.rest = self.rest[value.endIndex...]
            guard self.take("\"") else { throw self.error("The quote of '\(name)' does not end.") }
            return Escapes.parameterUnescaped(value)
        }
        let value = self.rest.prefix { byte in !",;:\"".utf8.contains(byte) }
        self.rest = self.rest[value.endIndex...]
        if self.rest.first == UInt8(ascii: "\"") {
            throw self.error("There is a quote in the middle of '\(name)'.")
        }
        return Escapes.parameterUnescaped(value)
    }

    /// Letters, digits and hyphens.
    private mutating func name() throws(VCardError) -> String {
        let name = self.rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard !name.isEmpty else { throw self.error("The name of a property or parameter is missing.") }
        self.rest = self.rest[name.endIndex...]
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard self.rest.first == UInt8(ascii: character) else { return false }
        self.rest.removeFirst()
        return true
    }

    private func error(_ reason: String) -> VCardError { VCardError(line: self.line, reason: reason) }
}
