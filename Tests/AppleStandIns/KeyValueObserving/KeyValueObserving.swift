// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// Key-value observing, with the signatures of Apple's SDK, for the classes of Foundation that a guide uses: on Linux
// there is none.

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
    public let oldValue: Value?
}

public final class NSKeyValueObservation: NSObject {
    private var end: (() -> Void)?

    init(end: @escaping () -> Void) { self.end = end }

    /// Called when the object goes as well.
    public func invalidate() {
        self.end?()
        self.end = nil
    }

    deinit { self.invalidate() }
}

/// An object whose property changes on a thread of its own.
///
/// On Apple systems the property is `@objc dynamic`. An observation does not keep its object there either.
open class Download: NSObject {
    private let lock = NSLock()
    private var observer: ((Double) -> Void)?
    private var fraction = 0.0

    open var fractionCompleted: Double { self.lock.withLock { self.fraction } }

    /// Makes progress after a while, on another thread.
    open func start() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { [weak self] in
            for step in 1...4 { self?.advance(to: Double(step) / 4) }
        }
    }

    private func advance(to fraction: Double) {
        let observer = self.lock.withLock {
            self.fraction = fraction
            return self.observer
        }
        observer?(fraction)
    }

    @preconcurrency
    public func observe(
        _ keyPath: KeyPath<Download, Double>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Download, NSKeyValueObservedChange<Double>) -> Void
    ) -> NSKeyValueObservation {
        if options.contains(.initial) {
            changeHandler(self, NSKeyValueObservedChange(newValue: self.fractionCompleted, oldValue: nil))
        }
        self.lock.withLock {
            self.observer = { [weak self] in
                if let self { changeHandler(self, NSKeyValueObservedChange(newValue: $0, oldValue: nil)) }
            }
        }
        return NSKeyValueObservation { [weak self] in
            // It keeps the handler, as Apple's does.
            withExtendedLifetime(changeHandler) { self?.lock.withLock { self?.observer = nil } }
            print("the observation has ended")
        }
    }
}
