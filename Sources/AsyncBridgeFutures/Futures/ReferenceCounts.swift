// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Synchronization

/// Who can reach a future: a chain may drop one that no other code can.
///
/// A count of this package's own cannot know that, because users hold the future itself. Only the runtime does. Its
/// functions are exported, but not documented, so they are tried first, on an object of which all references are known.
/// If one of them does not answer as it did with Swift 6.2.3 and 6.3 on Linux, no future leaves its chain: a loop of
/// `flatMap` whose rounds wait then keeps some hundred bytes for each round, and all else is the same.
package enum ReferenceCounts {
    /// Whether the runtime's functions answer as expected, and no test forbids their use.
    static var areKnown: Bool { self.areAsExpected && !self.areIgnored.load(ordering: .relaxed) }

    /// For tests of what is done without them.
    package static func ignore() { self.areIgnored.store(true, ordering: .relaxed) }

    private static let areIgnored = Atomic(false)

    /// Whether an object has one strong reference, one unowned, and no weak one.
    ///
    /// One reference of each of the weaker kinds stands for all of the stronger kind.
    ///
    /// Safe: the functions read the counts of the object at this address, which is alive. An address, because a build
    /// without optimisation may retain an object to pass it on.
    static func areThoseOfOneObserver(_ object: UnsafeMutableRawPointer) -> Bool {
        unsafe swift_retainCount(object) == 1 && swift_weakRetainCount(object) == 1
            && swift_unownedRetainCount(object) == 2
    }

    /// Tries the functions on an object, with references of each kind.
    package static let areAsExpected: Bool = {
        final class Probe: Sendable {}
        // By hand: the compiler may keep more references to a variable than are written.
        let probe = unsafe Unmanaged.passRetained(Probe())
        let address = unsafe probe.toOpaque()
        var answers = unsafe [!Self.areThoseOfOneObserver(address)]
        unsafe swift_unownedRetain(address)
        answers.append(unsafe Self.areThoseOfOneObserver(address))
        // One more of each kind.
        unsafe swift_unownedRetain(address)
        answers.append(unsafe !Self.areThoseOfOneObserver(address))
        unsafe swift_unownedRelease(address)
        _ = unsafe probe.retain()
        answers.append(unsafe !Self.areThoseOfOneObserver(address))
        unsafe probe.release()
        answers.append(unsafe Self.areThoseOfOneObserver(address))
        weak let weakly = unsafe probe.takeUnretainedValue()
        answers.append(unsafe !Self.areThoseOfOneObserver(address))
        _ = weakly
        unsafe swift_unownedRelease(address)
        unsafe probe.release()
        return answers.allSatisfy { $0 }
    }()
}
