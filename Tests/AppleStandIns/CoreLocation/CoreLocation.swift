// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// The part of Core Location that the guide uses, with the signatures of Apple's SDK. Objective-C's optional
// requirements are extensions here. The manager calls its delegate on the main thread, as Apple's does for one made
// there.

public typealias CLLocationAccuracy = Double
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

public struct CLLocationCoordinate2D: Sendable {
    public var latitude: Double
    public var longitude: Double
}

// Safe: immutable.
open class CLLocation: NSObject, @unchecked Sendable {
    public let coordinate: CLLocationCoordinate2D

    public init(latitude: Double, longitude: Double) {
        self.coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
}

public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

public struct CLError: Error {
    public enum Code: Int, Sendable {
        case locationUnknown, denied
    }

    public let code: Code
}

public protocol CLLocationManagerDelegate: NSObjectProtocol {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error)
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {}
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}

open class CLLocationManager: NSObject {
    open weak var delegate: CLLocationManagerDelegate? {
        didSet { self.tell { $0.locationManagerDidChangeAuthorization(self) } }
    }

    open var desiredAccuracy = kCLLocationAccuracyBest

    /// The user is asked once for the whole app.
    nonisolated(unsafe) private static var status = CLAuthorizationStatus.notDetermined
    open var authorizationStatus: CLAuthorizationStatus { Self.status }

    open private(set) var isUpdating = false {
        didSet { Self.updating += (self.isUpdating ? 1 : 0) - (oldValue ? 1 : 0) }
    }
    /// How many managers are running; not in Apple's class.
    nonisolated(unsafe) public private(set) static var updating = 0
    /// Whether the satellites are heard; not in Apple's class.
    nonisolated(unsafe) public static var isHearing = true

    private func tell(_ what: @escaping (CLLocationManagerDelegate) -> Void) {
        DispatchQueue.main.async { if let delegate = self.delegate { what(delegate) } }
    }

    /// The user agrees at once.
    open func requestWhenInUseAuthorization() {
        guard Self.status == .notDetermined else { return }
        DispatchQueue.main.async {
            Self.status = .authorizedWhenInUse
            self.delegate?.locationManagerDidChangeAuthorization(self)
            if self.isUpdating { self.begin() }
        }
    }

    /// Vienna.
    open func requestLocation() {
        self.isUpdating = true
        guard Self.isHearing else { return }
        self.tell {
            self.isUpdating = false
            $0.locationManager(self, didUpdateLocations: [CLLocation(latitude: 48.2, longitude: 16.4)])
        }
    }

    /// Without the user's permission nothing comes.
    open func startUpdatingLocation() {
        self.isUpdating = true
        if Self.status == .authorizedWhenInUse { self.begin() }
    }

    /// The first fix takes its time.
    private func begin() {
        guard Self.isHearing else { return }
        self.tell { $0.locationManager(self, didFailWithError: CLError(code: .locationUnknown)) }
        self.step(0)
    }

    private func step(_ number: Int) {
        guard self.isUpdating else { return }
        self.tell {
            $0.locationManager(
                self,
                didUpdateLocations: [CLLocation(latitude: Double(482 + number) / 10, longitude: 16.4)]
            )
        }
        // Slowly enough that every location finds its consumer.
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { self.step(number + 1) }
    }

    open func stopUpdatingLocation() {
        if self.isUpdating { print("the manager has stopped") }
        self.isUpdating = false
    }
}
