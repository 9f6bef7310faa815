// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

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
        withoutActuallyEscaping(make) { make in
            let texts = Generator(of: String.self, onError: { _ in }) { yield in try yield(make()) }
            // Without another stack, this one has to do.
            return texts.first { _ in true } ?? make()
        }
    }
}
