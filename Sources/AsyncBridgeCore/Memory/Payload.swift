// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Room for one value of any type, in storage whose own type is not generic.
///
/// A generic class asks the runtime for its metadata whenever it destroys a property, which took a third of the time
/// of a whole call. So the value is in four words, or in a box if it is larger, and only code that knows its type moves
/// it in and out.
///
/// Invariant: the code that stores a value must have it taken out again; nothing here destroys one.
@usableFromInline
package struct Payload: ~Copyable {
    @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient @inline(__always)
    package static func fitsInline<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= 4 * MemoryLayout<UInt>.size
            && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    }

    /// Moves a value in.
    @_alwaysEmitIntoClient @inline(__always)
    package mutating func store<Value>(_ value: __owned Value) {
        // Safe: the address is used within the closure only, and the value fits, or its box's address does.
        unsafe withUnsafeMutablePointer(to: &self.words) { words in
            let raw = UnsafeMutableRawPointer(words)
            if Self.fitsInline(Value.self) {
                unsafe raw.initializeMemory(as: Value.self, to: value)
            } else {
                let box = UnsafeMutablePointer<Value>.allocate(capacity: 1)
                unsafe box.initialize(to: value)
                unsafe raw.initializeMemory(as: UnsafeMutablePointer<Value>.self, to: box)
            }
        }
    }

    /// Copies the value, which stays.
    ///
    /// Its type is the one with which it was stored.
    @_alwaysEmitIntoClient @inline(__always)
    package func copy<Value>(as _: Value.Type = Value.self) -> Value {
        // Safe: as in `take`.
        unsafe withUnsafePointer(to: self.words) { words in
            let raw = unsafe UnsafeRawPointer(words)
            if Self.fitsInline(Value.self) { return unsafe raw.assumingMemoryBound(to: Value.self).pointee }
            return unsafe raw.assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).pointee.pointee
        }
    }

    /// Moves the value out.
    ///
    /// Its type is the one with which it was stored.
    @_alwaysEmitIntoClient @inline(__always)
    package mutating func take<Value>(as _: Value.Type = Value.self) -> Value {
        // Safe: ``store(_:)`` laid out a `Value`, or a box of one, at this address, and each caller takes it once.
        unsafe withUnsafeMutablePointer(to: &self.words) { words in
            let raw = UnsafeMutableRawPointer(words)
            if Self.fitsInline(Value.self) {
                return unsafe raw.assumingMemoryBound(to: Value.self).move()
            }
            let box = unsafe raw.assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).move()
            defer { unsafe box.deallocate() }
            return unsafe box.move()
        }
    }
}
