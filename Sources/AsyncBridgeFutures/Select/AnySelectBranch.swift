// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A branch without its output type, as the selection sees it.
///
/// Not generic, and not an object: its functions are closures that capture nothing, made where the types are known, so
/// that they are specialised in the user's module. Methods of a generic class never are.
@safe @usableFromInline
struct AnySelectBranch {
    @usableFromInline typealias Operate = (SelectOperation, BranchReference, WaiterReference?) -> SelectAnswer
    @usableFromInline typealias Run = (BranchReference, WaiterReference?, SelectOutput) throws -> Bool

    /// What it waits for.
    @usableFromInline let selectable: AnyObject
    /// What else it keeps alive.
    @usableFromInline let keeper: AnyObject?
    @usableFromInline let handler: AnyHandler
    @usableFromInline let operate: Operate
    /// Makes the branch happen if that is possible at once, or, with a waiter, takes its result; then runs the user's
    /// closure.
    ///
    /// The result is whether it has happened.
    @usableFromInline let run: Run
    // The size of the value that is handed over.
    @usableFromInline let slotSize: UInt32
    @usableFromInline let slotAlignment: UInt16
    @usableFromInline let traits: SelectTraits

    @inlinable
    init<Slot>(
        at selectable: AnyObject,
        keeping keeper: AnyObject? = nil,
        _ handler: AnyHandler,
        slot _: Slot.Type,
        traits: SelectTraits = [],
        operate: @escaping Operate,
        run: @escaping Run
    ) {
        self.selectable = selectable
        self.keeper = keeper
        self.handler = handler
        self.operate = operate
        self.run = run
        self.slotSize = UInt32(MemoryLayout<Slot>.size)
        self.slotAlignment = UInt16(MemoryLayout<Slot>.alignment)
        self.traits = traits
    }
}

/// The address of a branch.
///
/// Safe: in the array of branches, which lives as long as the call of `select`.
@safe @usableFromInline
struct BranchReference {
    @usableFromInline let address: UnsafePointer<AnySelectBranch>

    @inlinable
    init(_ address: UnsafePointer<AnySelectBranch>) { unsafe self.address = address }

    /// What the branch waits for.
    ///
    /// Safe: called by the functions of the branch, which were made with it.
    @inlinable @inline(__always)
    func selectable<Selectable: AnyObject>(as _: Selectable.Type) -> Selectable {
        unsafe unsafeDowncast(self.address.pointee.selectable, to: Selectable.self)
    }

    /// What the branch keeps.
    ///
    /// Safe: as above.
    @inlinable @inline(__always)
    func keeper<Keeper: AnyObject>(as _: Keeper.Type) -> Keeper {
        guard let keeper = unsafe self.address.pointee.keeper else {
            preconditionFailure("BUG: a branch holds no value")
        }
        return unsafe unsafeDowncast(keeper, to: Keeper.self)
    }

    /// The user's closure.
    ///
    /// Safe: as above.
    @inlinable @inline(__always)
    func handler<Handler>(as _: Handler.Type) -> Handler {
        unsafe unsafeBitCast(self.address.pointee.handler, to: Handler.self)
    }

    @inline(__always)
    var traits: SelectTraits { unsafe self.address.pointee.traits }

    @inline(__always)
    func operate(_ operation: SelectOperation, _ waiter: WaiterReference? = nil) -> SelectAnswer {
        unsafe self.address.pointee.operate(operation, self, waiter)
    }

    @inline(__always)
    func run(_ waiter: WaiterReference?, _ output: SelectOutput) throws -> Bool {
        try unsafe self.address.pointee.run(self, waiter, output)
    }
}

/// The address for the result of `select`: an optional of its type.
///
/// Safe: made by `select`, and used during that call.
@safe @usableFromInline
package struct SelectOutput {
    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

    @inlinable @inline(__always)
    func store<Output>(_ output: Output) { unsafe self.address.assumingMemoryBound(to: Output?.self).pointee = output }
}

// MARK: - The user's closures

/// A closure of any type: its two words.
///
/// It is cast from and to structs with one closure, never to the closure itself, which the compiler would wrap in
/// another one.
///
/// Safe: never called as what it is here.
@safe @usableFromInline
struct AnyHandler {
    private let closure: () -> Void

    @inlinable
    static func erasing<Handler>(_ handler: Handler) -> AnyHandler {
        unsafe unsafeBitCast(handler, to: AnyHandler.self)
    }
}

@usableFromInline
struct ElementHandler<Element, Output> {
    @usableFromInline let call: (sending Element) throws -> Output

    @inlinable
    init(_ call: @escaping (sending Element) throws -> Output) { self.call = call }
}

@usableFromInline
struct ValueHandler<Value, Output> {
    @usableFromInline let call: (Value) throws -> Output

    @inlinable
    init(_ call: @escaping (Value) throws -> Output) { self.call = call }
}

@usableFromInline
struct PlainHandler<Output> {
    @usableFromInline let call: () throws -> Output

    @inlinable
    init(_ call: @escaping () throws -> Output) { self.call = call }
}
