// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One of the events that a `select` waits for: the first one that is possible happens.
///
/// The closure runs after the selection, where `select` was called; `select` returns the closure's result, or throws
/// its error. A branch is used in one `select`, and only once: one that sends holds an element, and ends the process if
/// it is used again.
public struct SelectBranch<Output> {
    // The only property: an array of these is used as an array of its type.
    @usableFromInline let branch: AnySelectBranch

    @inlinable
    init(_ branch: AnySelectBranch) { self.branch = branch }

    /// Happens if no other branch is possible at once, so that `select` does not wait.
    ///
    /// - Parameter then: Called if this branch happens.
    /// - Returns: The branch.
    @inlinable
    public static func otherwise(then: @escaping () throws -> Output) -> SelectBranch {
        SelectBranch(otherwise: then)
    }
}

extension SelectBranch {
    /// Happens if no other branch is possible.
    @inlinable
    init(otherwise then: @escaping () throws -> Output) {
        self.init(
            AnySelectBranch(
                at: NothingSelectable.shared,
                .erasing(PlainHandler(then)),
                slot: UInt.self,
                traits: .isDefault,
                operate: { _, _, _ in .no },
                run: { branch, _, output in
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }
}

/// What a default waits for: nothing.
@usableFromInline
final class NothingSelectable: Sendable {
    @usableFromInline static let shared = NothingSelectable()
}
