// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A property of version 2.1 or 3.0, which becomes one of version 4.0.
///
/// What has no place there any more goes: how the line was encoded. All else stays, also properties that 4.0 does not
/// know.
struct OldProperty {
    private let version: Version
    private let line: Int
    private var property: VCard.Property
    /// The value's bytes, as they stand in the file.
    private let value: [UInt8]
    private var encoding: Encoding = .none
    private var charset: String?

    private enum Encoding {
        case none
        case quotedPrintable
        case base64
    }

    /// - Parameters:
    ///   - property: Its name and parameters, as they were written.
    ///   - value: The bytes of its value.
    ///   - version: The version of its card.
    ///   - line: Its line in the file.
    /// - Returns: The property in version 4.0.
    /// - Throws: ``VCardError``, if the value is not encoded as it says.
    static func converted(
        _ property: VCard.Property,
        value: [UInt8],
        _ version: Version,
        line: Int
    ) throws(VCardError) -> VCard.Property {
        var old = Self(version: version, line: line, property: property, value: value)
        try old.takeParameters()
        return try old.converted()
    }

    private init(version: Version, line: Int, property: VCard.Property, value: [UInt8]) {
        (self.version, self.line, self.property, self.value) = (version, line, property, value)
    }

    // MARK: Parameters

    private mutating func takeParameters() throws(VCardError) {
        let old = self.property.parameters
        self.property.parameters = []
        for parameter in old {
            if Names.areEqual(parameter.name, "ENCODING") {
                for value in parameter.values { try self.take(encoding: value) }
            } else if Names.areEqual(parameter.name, "CHARSET") {
                self.charset = parameter.values.first
            } else if Names.areEqual(parameter.name, "TYPE") {
                for value in parameter.values { try self.take(word: value) }
            } else {
                self.property.parameters.append(parameter)
            }
        }
    }

    /// A value of `TYPE`, or in version 2.1 a word that stands there alone.
    private mutating func take(word: String) throws(VCardError) {
        if Names.areEqual(word, "PREF") {
            self.property.parameters.append(VCard.Parameter("PREF", values: ["1"]))
        } else if ["QUOTED-PRINTABLE", "BASE64", "7BIT", "8BIT"].contains(where: { Names.areEqual(word, $0) }) {
            try self.take(encoding: word)
        } else if let index = self.property.parameters.firstIndex(where: { Names.areEqual($0.name, "TYPE") }) {
            self.property.parameters[index].values.append(word)
        } else {
            self.property.parameters.append(VCard.Parameter("TYPE", values: [word]))
        }
    }

    private mutating func take(encoding: String) throws(VCardError) {
        switch encoding.uppercased() {
        case "QUOTED-PRINTABLE": self.encoding = .quotedPrintable
        case "BASE64", "B": self.encoding = .base64
        case "7BIT", "8BIT": self.encoding = .none
        default: throw self.error("The encoding '\(encoding)' is not known.")
        }
    }

    // MARK: The value

    private func converted() throws(VCardError) -> VCard.Property {
        var property = self.property
        switch self.encoding {
        case .base64:
            return self.withData()
        case .quotedPrintable:
            guard let bytes = QuotedPrintable.decoded(self.value) else {
                throw self.error("A '=' is not followed by two digits, as quoted-printable needs it.")
            }
            property.rawValue = self.escaped(try self.text(of: bytes))
        case .none:
            property.rawValue = self.escaped(try self.text(of: self.value))
        }
        // Latitude and longitude were separated like parts; now it is an address.
        if property.isNamed("GEO"), !property.rawValue.hasPrefix("geo:") {
            property.rawValue = "geo:" + property.rawValue.replacing(";", with: ",")
        }
        return property
    }

    private func text(of bytes: [UInt8]) throws(VCardError) -> String {
        guard let text = Charset.text(of: bytes, in: self.charset) else {
            throw self.error("The text is not in the encoding '\(self.charset ?? "")', or that is not known.")
        }
        return text
    }

    /// The value with the escapes of version 4.0.
    ///
    /// Version 3.0 has the same. In 2.1 only a semicolon has one; commas and backslashes are what they are.
    private func escaped(_ text: String) -> String {
        let (name, bytes) = (self.property.name.uppercased(), Array(text.utf8))
        if self.version == .three || Self.addresses.contains(name) { return Self.withoutControls(bytes) }
        let parts = Self.parts(of: bytes, structured: Self.structured.contains(name))
        return parts.map(Escapes.escaped).joined(separator: ";")
    }

    /// What was quoted may hold what a line cannot.
    private static func withoutControls(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == Self.newline {
                result += Array("\\n".utf8)
            } else if !Escapes.isControl(byte) {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Their values have no escapes.
    private static let addresses: Set = ["URL", "GEO", "REV", "BDAY", "TZ"]
    /// Their values have parts.
    private static let structured: Set = ["N", "ADR", "ORG"]
    private static let newline = UInt8(ascii: "\n")

    /// The parts between semicolons that have no backslash before them; one, if the value is not structured.
    private static func parts(of bytes: [UInt8], structured: Bool) -> [String] {
        var parts: [[UInt8]] = []
        var part: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: ";"), part.last == UInt8(ascii: "\\") {
                part[part.count - 1] = byte
            } else if byte == UInt8(ascii: ";"), structured {
                parts.append(part)
                part = []
            } else {
                part.append(byte)
            }
        }
        return (parts + [part]).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Pictures and sounds

    /// In version 4.0 data is an address that holds it.
    private func withData() -> VCard.Property {
        var property = self.property
        let data = self.value.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        var mediaType = "application/octet-stream"
        if let index = property.parameters.firstIndex(where: { Names.areEqual($0.name, "TYPE") }) {
            let types = property.parameters[index].values
            if let known = types.firstIndex(where: { Self.mediaTypes[$0.uppercased()] != nil }) {
                mediaType = Self.mediaTypes[types[known].uppercased()] ?? mediaType
                property.parameters[index].values.remove(at: known)
                if types.count == 1 { property.parameters.remove(at: index) }
            }
        }
        property.rawValue = "data:\(mediaType);base64,\(String(decoding: data, as: UTF8.self))"
        return property
    }

    /// The words for formats of pictures, sounds and keys.
    private static let mediaTypes = [
        "JPEG": "image/jpeg", "JPG": "image/jpeg", "PNG": "image/png", "GIF": "image/gif", "BMP": "image/bmp",
        "TIFF": "image/tiff", "WEBP": "image/webp", "HEIC": "image/heic", "WAVE": "audio/wav", "WAV": "audio/wav",
        "PCM": "audio/L16", "BASIC": "audio/basic", "AIFF": "audio/aiff", "MP3": "audio/mpeg", "OGG": "audio/ogg",
        "X509": "application/pkix-cert", "PGP": "application/pgp-keys", "IMAGE/JPEG": "image/jpeg",
        "IMAGE/PNG": "image/png",
    ]

    private func error(_ reason: String) -> VCardError { VCardError(line: self.line, reason: reason) }
}
