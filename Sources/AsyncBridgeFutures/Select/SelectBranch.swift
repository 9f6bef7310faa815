// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Something that a `select` may do: one of several things, whichever is possible first.
///
/// The closure runs after the selection, where `select` was called; what it returns or throws, `select` does. A branch
/// is used in one `select`, and only once.
public struct SelectBranch<Output> {
    // The one property: an array of these is used as one of that.
    @usableFromInline let branch: AnySelectBranch

    @inlinable
    init(_ branch: AnySelectBranch) { self.branch = branch }

    /// Happens if no other branch can at once: then `select` does not wait.
    ///
    /// - Parameter then: Called then.
    /// - Returns: The branch.
    @inlinable
    public static func otherwise(then: @escaping () throws -> Output) -> SelectBranch {
        SelectBranch(otherwise: then)
    }
}

extension SelectBranch {
    /// Happens if nothing else can.
    @inlinable
    init(otherwise then: @escaping () throws -> Output) {
        self.init(
            AnySelectBranch(
                at: NoPlace.shared,
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

/// Where a default waits: nowhere.
@usableFromInline
final class NoPlace: Sendable {
    @usableFromInline static let shared = NoPlace()
}
