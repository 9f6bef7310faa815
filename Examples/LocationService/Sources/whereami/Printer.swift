// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport
import Foundation
import GPSLocation

/// Writes positions to standard output.
struct Printer: Sendable {
    /// A position in JSON, without what is not known.
    private struct Line: Encodable {
        var latitude: Double
        var longitude: Double
        var accuracy: Double?
        var altitude: Double?
        var altitudeAccuracy: Double?
        var speed: Double?
        var course: Double?
        var time: String
        var device: String
    }

    let json: Bool

    func show(_ location: Location) throws {
        let line = self.json ? try self.object(location) : self.text(location)
        try StandardOutput.write(line: line)
    }

    /// Writes a line about what is wrong.
    static func complain(_ text: String) {
        StandardError.write(line: "whereami: \(text)")
    }

    private func object(_ location: Location) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = Line(
            latitude: location.coordinate.latitude,
            longitude: location.coordinate.longitude,
            accuracy: self.known(location.horizontalAccuracy),
            altitude: location.verticalAccuracy < 0 ? nil : location.altitude,
            altitudeAccuracy: self.known(location.verticalAccuracy),
            speed: self.known(location.speed),
            course: self.known(location.course),
            time: self.time(location.timestamp),
            device: location.device
        )
        return Printable.json(String(decoding: try encoder.encode(line), as: UTF8.self))
    }

    private func text(_ location: Location) -> String {
        var text = "\(self.digits(location.coordinate.latitude, 5)) \(self.digits(location.coordinate.longitude, 5))"
        if let accuracy = self.known(location.horizontalAccuracy) { text += ", within \(self.digits(accuracy, 0)) m" }
        if location.verticalAccuracy >= 0 { text += ", \(self.digits(location.altitude, 0)) m above the sea" }
        if let speed = self.known(location.speed) { text += ", \(self.digits(speed, 1)) m/s" }
        return text + ", at \(self.time(location.timestamp))"
    }

    private func known(_ value: Double) -> Double? { value < 0 ? nil : value }

    private func digits(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }

    private func time(_ date: Date) -> String {
        // The style cuts off what is less than a millisecond, and .300 is stored as a little less.
        (date + 0.0005).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
