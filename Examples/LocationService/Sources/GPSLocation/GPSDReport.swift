// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import NIOCore

/// A line that gpsd has sent, of those that a location manager needs.
///
/// See "gpsd_json(5)". A field of the wrong type, or out of its range, is an error: then nothing else in that
/// connection can be trusted either.
enum GPSDReport: Equatable {
    /// The first line of a connection.
    case version(protocolMajor: Int)
    /// The answer to `?WATCH`: reports will follow.
    case watch
    /// A position of a receiver, or that it has none.
    case position(GPSDPosition)
    /// The daemon does not hear a receiver any more.
    case gone(device: String)
    /// The daemon refuses a request.
    case refusal(message: String)
    /// Of satellites, pulses, devices and the like.
    case other

    private struct Head: Decodable { var `class`: String }
    private struct Version: Decodable { var proto_major: Int }
    private struct Refusal: Decodable { var message: String }
    /// `activated` is missing, or 0 in older versions, if the device is not in use.
    private struct Device: Decodable {
        private enum Field: String, CodingKey { case path, activated }
        var path: String
        var isActive: Bool

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Field.self)
            self.path = try fields.decode(String.self, forKey: .path)
            let number = try? fields.decodeIfPresent(Double.self, forKey: .activated)
            self.isActive = fields.contains(.activated) && number != 0
        }
    }

    /// Reads a line.
    ///
    /// - Throws: ``LocationManagerError`` of the kind `malformedData`.
    init(_ line: ByteBuffer) throws {
        let data = Data(line.readableBytesView)
        // The decoder would take other encodings too.
        guard data.first == UInt8(ascii: "{"), String(validating: data, as: UTF8.self) != nil else {
            throw Self.nonsense(data)
        }
        func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
            do {
                return try JSONDecoder().decode(Value.self, from: data)
            } catch {
                throw Self.nonsense(data, Self.reason(error))
            }
        }
        switch try decoded(Head.self).class {
        case "VERSION": self = .version(protocolMajor: try decoded(Version.self).proto_major)
        case "WATCH": self = .watch
        case "TPV": self = .position(try decoded(GPSDPosition.self))
        case "DEVICE":
            let device = try decoded(Device.self)
            self = device.isActive ? .other : .gone(device: device.path)
        case "ERROR": self = .refusal(message: try decoded(Refusal.self).message)
        default: self = .other
        }
    }
}

extension GPSDReport {
    private static func nonsense(_ data: Data, _ reason: String = "it is no object in JSON") -> LocationManagerError {
        let line = String(decoding: data.prefix(200), as: UTF8.self).quoted(60)
        return LocationManagerError(.malformedData, "gpsd has sent what makes no sense, \(reason): \(line).")
    }

    /// Which field is wrong, and what is wrong about it.
    private static func reason(_ error: any Error) -> String {
        func field(_ context: DecodingError.Context) -> String? {
            context.codingPath.last.map { "'\($0.stringValue)'" }
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, _)?: return "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
            return "\(field(context) ?? "it") is of the wrong type"
        case .dataCorrupted(let context)?:
            guard let field = field(context) else { return "it is no object in JSON" }
            return context.underlyingError == nil ? "\(field) is \(context.debugDescription)" : "\(field) is no value"
        default: return "it cannot be read"
        }
    }
}

/// What gpsd calls a TPV, for time, position and velocity.
struct GPSDPosition: Decodable, Equatable {
    /// 0 and 1: no fix; 2: a fix; 3: a fix with altitude.
    var mode: Int
    var device: String?
    var time: String?
    var lat: Double?
    var lon: Double?
    var altMSL: Double?
    var alt: Double?
    var eph: Double?
    var epv: Double?
    var speed: Double?
    var track: Double?

    private enum Field: String, CodingKey { case mode, device, time, lat, lon, altMSL, alt, eph, epv, speed, track }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        func number(_ field: Field, _ range: ClosedRange<Double>) throws -> Double? {
            guard let number = try fields.decodeIfPresent(Double.self, forKey: field) else { return nil }
            guard range.contains(number) else {
                throw DecodingError.dataCorruptedError(forKey: field, in: fields, debugDescription: "out of range")
            }
            return number
        }
        // In metres, and metres a second: beyond are no places on or near the Earth.
        let (height, error) = (-100_000.0...100_000_000, 0.0...100_000_000)
        self.mode = try fields.decode(Int.self, forKey: .mode)
        guard (0...3).contains(self.mode) else {
            throw DecodingError.dataCorruptedError(forKey: .mode, in: fields, debugDescription: "out of range")
        }
        self.device = try fields.decodeIfPresent(String.self, forKey: .device)
        self.time = try fields.decodeIfPresent(String.self, forKey: .time)
        self.lat = try number(.lat, -90...90)
        self.lon = try number(.lon, -180...180)
        self.altMSL = try number(.altMSL, height)
        self.alt = try number(.alt, height)
        self.eph = try number(.eph, error)
        self.epv = try number(.epv, error)
        self.speed = try number(.speed, error)
        self.track = try number(.track, 0...360)
        if let time, Self.date(time) == nil {
            throw DecodingError.dataCorruptedError(forKey: .time, in: fields, debugDescription: "no time")
        }
    }

    private static func date(_ text: String) -> Date? {
        guard text.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/) != nil else { return nil }
        let date =
            (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
        // The strategies take the thirtieth of February for a day in March.
        guard let date, date.formatted(.iso8601).prefix(13) == text.prefix(13) else { return nil }
        return date
    }

    /// The location; nil without a fix, and until the receiver knows the time.
    var location: Location? {
        guard self.mode >= 2, let lat, let lon, let date = self.time.flatMap(Self.date) else { return nil }
        var location = Location(
            coordinate: .init(latitude: lat, longitude: lon),
            timestamp: date,
            device: (self.device ?? "").plain
        )
        location.horizontalAccuracy = self.eph ?? -1
        location.speed = self.speed ?? -1
        location.course = self.track ?? -1
        if self.mode >= 3, let altitude = self.altMSL ?? self.alt, let epv {
            location.altitude = altitude
            location.verticalAccuracy = epv
        }
        return location
    }
}
