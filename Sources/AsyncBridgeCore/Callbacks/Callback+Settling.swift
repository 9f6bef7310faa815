// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the ready-made handlers do with the values and the error of one call.

extension Callback where Failure == any Error {
    /// Answers with what an API came with.
    ///
    /// - Parameters:
    ///   - value: The answer, if nothing that it needs is missing.
    ///   - error: The error.
    ///   - policy: What counts if there are both.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - elements: The value, or the elements of the tuple, as they came. Called only if there is neither a value nor
    ///     an error, or both.
    /// - Returns: Whether this was the first answer, and came while the wait was still open.
    @_alwaysEmitIntoClient
    @discardableResult
    func settle(
        _ value: Value?,
        _ error: (any Error)?,
        _ policy: ValueAndErrorPolicy,
        _ fileID: StaticString,
        _ line: UInt,
        elements: () -> [(any Sendable)?]
    ) -> Bool where Value: Sendable {
        // The usual cases here, where the type of the value is known; the others once, in the library.
        switch (value, error) {
        case (let value?, nil): self.resume(returning: value, fileID: fileID, line: line)
        case (nil, let error?): self.resume(throwing: error, fileID: fileID, line: line)
        case (nil, nil), (_?, _?): self.settleUnusual(value, error, policy, fileID, line, elements: elements)
        }
    }

    @usableFromInline
    func settleUnusual(
        _ value: Value?,
        _ error: (any Error)?,
        _ policy: ValueAndErrorPolicy,
        _ fileID: StaticString,
        _ line: UInt,
        elements: () -> [(any Sendable)?]
    ) -> Bool where Value: Sendable {
        let elements = elements().map { isNilInside($0) ? nil : $0 }
        let isEmpty = elements.allSatisfy { $0 == nil }
        guard let error else {
            let code: BridgeFault.Code = isEmpty ? .noResult : .valueMissing
            let fault = BridgeFault(code, made: self.made, values: isEmpty ? [] : elements)
            return self.resume(throwing: fault, fileID: fileID, line: line)
        }
        // Only a value can win over an error, and is handed back when it does not: `nil` beside an error is no value.
        guard let value, !isEmpty else { return self.resume(throwing: error, fileID: fileID, line: line) }
        switch policy {
        case .valueWins:
            return self.resume(returning: value, fileID: fileID, line: line)
        case .errorWins:
            let isFirst = self.resume(throwing: error, fileID: fileID, line: line)
            LateValueHandler<Value>.dispose(of: Result<Value, Failure>.success(value), by: self.shot)
            return isFirst
        }
    }

    /// An element of the answer: `nil` is one if its type is optional.
    @_alwaysEmitIntoClient
    static func element<Element>(_ element: Element?) -> Element? { element ?? absent(Element.self) }
}

/// The `nil` of an optional type, `nil` for any other.
@usableFromInline
func absent<Element>(_ type: Element.Type) -> Element? { (type as? any OptionalType.Type)?.none(as: type) }

/// Whether an element is a `nil` of an optional type.
private func isNilInside(_ element: (any Sendable)?) -> Bool { (element as? any OptionalType)?.isNil ?? false }

private protocol OptionalType {
    static func none<Element>(as: Element.Type) -> Element?

    var isNil: Bool { get }
}

extension Optional: OptionalType {
    fileprivate static func none<Element>(as _: Element.Type) -> Element? { Self.none as? Element }

    fileprivate var isNil: Bool { self == nil }
}
