// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines

/// Makes a text of others' values, whatever stack the calling code is on.
///
/// The description of a value without one of its own is made by reflection. The first one in a process takes more than
/// the smallest stack has; and a report must not end the process.
enum RoomyStack {
    /// Makes a text on a stack of the standard size, in this call.
    ///
    /// - Parameter make: Makes the text.
    /// - Returns: The text.
    @inline(never)
    static func text(_ make: () -> String) -> String {
        // Without another stack, this one has to do.
        guard let block = try? unsafe StackPool.acquire(.standard, for: CallSite()) else { return make() }
        return withoutActuallyEscaping(make) { make in
            let maker = TextMaker(make)
            unsafe ccoro_prepare(block)
            // Not retained: this frame keeps it, and outlives the call.
            unsafe block.pointee.body = ccoro_closure(
                function: { unsafe TextMaker.run($0) },
                context: Unmanaged.passUnretained(maker).toOpaque()
            )
            unsafe ccoro_resume_in_place(block)
            // Its frames may never have been left, if a description waited and was given up: then it is leaked.
            if unsafe block.pointee.request == .finished { unsafe StackPool.release(block) }
            return maker.text
        }
    }
}

/// What is run on the other stack.
private final class TextMaker {
    private let make: () -> String
    private(set) var text = ""

    init(_ make: @escaping () -> String) { self.make = make }

    static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { preconditionFailure("BUG: a text has no context") }
        // Safe: the caller keeps it until the stack has been left.
        let maker = unsafe Unmanaged<TextMaker>.fromOpaque(context).takeUnretainedValue()
        maker.text = maker.make()
    }
}
