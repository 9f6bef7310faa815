// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import CCoroutines
import Coroutines

/// The least that a generator needs of the core: it runs in place, as a part of the coroutine that resumes it.
///
/// Safe: used by one coroutine, which ends it before it goes.
final class RawGenerator {
    private let block: UnsafeMutablePointer<ccoro_block>
    private let body: (RawGenerator) throws -> Void
    private(set) var error: (any Error)?

    init(_ body: @escaping (RawGenerator) throws -> Void) throws {
        self.body = body
        self.block = try StackPool.acquire(.standard)
        ccoro_prepare(self.block)
        self.block.pointee.body = ccoro_closure(
            function: { context in
                guard let context else { return }
                Unmanaged<RawGenerator>.fromOpaque(context).takeUnretainedValue().run()
            },
            context: Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit { StackPool.release(self.block) }

    private func run() {
        do { try self.body(self) } catch { self.error = error }
    }

    /// Runs the body until it yields.
    ///
    /// - Returns: Whether it did, rather than end.
    func next() -> Bool {
        ccoro_resume_in_place(self.block)
        return self.block.pointee.request == .element
    }

    func yield() { ccoro_suspend(self.block, .element) }
}
