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
    /// The daemon refuses a request.
    case refusal(message: String)
    /// Of satellites, pulses, devices and the like.
    case other

    private struct Head: Decodable { var `class`: String }
    private struct Version: Decodable { var proto_major: Int }
    private struct Refusal: Decodable { var message: String }

    /// Reads a line.
    ///
    /// - Throws: ``LocationManagerError`` of the kind `malformedData`.
    init(_ line: ByteBuffer) throws {
        let data = Data(line.readableBytesView)
        func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
            do { return try JSONDecoder().decode(Value.self, from: data) } catch {
                let start = String(decoding: data.prefix(60), as: UTF8.self)
                throw LocationManagerError(.malformedData, "gpsd has sent what makes no sense: \(start)")
            }
        }
        switch try decoded(Head.self).class {
        case "VERSION": self = .version(protocolMajor: try decoded(Version.self).proto_major)
        case "WATCH": self = .watch
        case "TPV": self = .position(try decoded(GPSDPosition.self))
        case "ERROR": self = .refusal(message: try decoded(Refusal.self).message)
        default: self = .other
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
        let any = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        self.mode = try fields.decode(Int.self, forKey: .mode)
        self.device = try fields.decodeIfPresent(String.self, forKey: .device)
        self.time = try fields.decodeIfPresent(String.self, forKey: .time)
        self.lat = try number(.lat, -90...90)
        self.lon = try number(.lon, -180...180)
        self.altMSL = try number(.altMSL, any)
        self.alt = try number(.alt, any)
        self.eph = try number(.eph, any)
        self.epv = try number(.epv, any)
        self.speed = try number(.speed, any)
        self.track = try number(.track, any)
        if let time, Self.date(time) == nil {
            throw DecodingError.dataCorruptedError(forKey: .time, in: fields, debugDescription: "no time")
        }
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
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
