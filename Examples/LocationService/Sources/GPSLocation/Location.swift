// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import struct Foundation.Date

/// A position, as a receiver has found it.
///
/// As in CoreLocation, a negative accuracy, speed or course is an unknown one.
public struct Location: Hashable, Sendable {
    /// Degrees north of the equator and east of Greenwich.
    public struct Coordinate: Hashable, Sendable {
        /// Degrees to the north, from -90 to 90.
        public var latitude: Double
        /// Degrees to the east, from -180 to 180.
        public var longitude: Double

        /// Makes a coordinate from degrees.
        ///
        /// - Parameters:
        ///   - latitude: Degrees to the north.
        ///   - longitude: Degrees to the east.
        public init(latitude: Double, longitude: Double) {
            (self.latitude, self.longitude) = (latitude, longitude)
        }
    }

    /// Where.
    public var coordinate: Coordinate
    /// Metres above the sea; unknown if ``verticalAccuracy`` is negative.
    public var altitude = 0.0
    /// The likely error of the coordinate, in metres.
    public var horizontalAccuracy = -1.0
    /// The likely error of the altitude, in metres.
    public var verticalAccuracy = -1.0
    /// Metres a second.
    public var speed = -1.0
    /// Degrees from true north, clockwise.
    public var course = -1.0
    /// When the receiver was there, by the satellites' clocks.
    public var timestamp: Date
    /// The receiver, as gpsd names it.
    public var device: String

    /// Makes a location of which only place and time are known.
    ///
    /// - Parameters:
    ///   - coordinate: Where.
    ///   - timestamp: When.
    ///   - device: The receiver.
    public init(coordinate: Coordinate, timestamp: Date, device: String) {
        (self.coordinate, self.timestamp, self.device) = (coordinate, timestamp, device)
    }
}
