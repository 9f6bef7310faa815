// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for the Swift part of Apple's module ObjectiveC: what the compiler itself asks for, and `NSObject`.

@_exported import ObjectiveC

@frozen public struct ObjCBool: Sendable {
    var storage: Bool

    public init(_ value: Bool) { self.storage = value }

    public var boolValue: Bool { self.storage }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }

public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

// Safe: the address of a name that is unique in the process.
@frozen public struct Selector: Hashable, @unchecked Sendable {
    var address: OpaquePointer

    public init(_ name: String) { fatalError() }
}

@frozen public struct NSZone {
    var address: OpaquePointer
}

extension NSObject: Hashable {
    public static func == (left: NSObject, right: NSObject) -> Bool { left.isEqual(right) }

    public func hash(into hasher: inout Hasher) { hasher.combine(self.hash) }
}

public func autoreleasepool<Value>(invoking body: () throws -> Value) rethrows -> Value { fatalError() }
