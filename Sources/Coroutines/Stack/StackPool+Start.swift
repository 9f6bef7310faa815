// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import CCoroutines

extension StackPool {
    /// Gets a stack, and notes what it is for: the message of an overflow names that.
    ///
    /// - Throws: As ``acquire(_:)``.
    @inlinable
    static func acquire(
        _ size: StackSize,
        for started: CallSite
    ) throws(CoroutineError) -> UnsafeMutablePointer<ccoro_block> {
        let block = try unsafe self.acquire(size)
        let file = started.fileIDLiteral
        // Safe: a literal's bytes live as long as the process. A file's name of one character would be no pointer.
        if file.hasPointerRepresentation {
            unsafe ccoro_note_start(block, file.utf8Start, file.utf8CodeUnitCount, Int(started.line))
        } else {
            unsafe ccoro_note_start(block, nil, 0, 0)
        }
        return unsafe block
    }
}
