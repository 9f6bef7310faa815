// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SelectBranches {
    /// Waits until a branch has happened, and runs it.
    ///
    /// - Throws: What it throws; `CancellationError`.
    @usableFromInline
    package func wait(
        as parker: ParkerReference,
        biased: Bool,
        _ output: SelectOutput,
        park: () -> Bool
    ) throws {
        let (bytes, alignment) = SelectSlab.size(for: self)
        // On the stack if there is little of it: the coroutine does not leave this frame while it waits.
        //
        // Safe: when `leave` has returned, no queue refers to the memory.
        unsafe try withUnsafeTemporaryAllocation(byteCount: bytes, alignment: alignment) { memory in
            guard let memory = memory.baseAddress else { preconditionFailure("BUG: no memory for waiters") }
            let selection = unsafe Selection(branches: self, slab: SelectSlab(in: memory, for: self, parker))
            defer { selection.finish() }
            var happened: Int?
            switch selection.enter(parker, biased: biased) {
            case .happened(let index): happened = index
            case .cancelled: break
            case .enlisted:
                let isWanted = park()
                happened = selection.leave()
                if !isWanted {
                    if let index = happened { _ = self[index].operate(.discard, selection.slab.waiter(index)) }
                    self.abandon(but: happened)
                    throw CancellationError()
                }
            }
            guard let happened else {
                self.abandon()
                throw CancellationError()
            }
            _ = try self.run(happened, selection.slab.waiter(happened), output)
        }
    }
}
