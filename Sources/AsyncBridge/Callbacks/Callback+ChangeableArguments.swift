// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Handlers that are made from a closure, for APIs with one or two arguments of which some are `inout`; see
// `Callback+ClosureHandlers.swift`.

extension Callback {
    /// Makes a handler of the shape `(inout A) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's argument, and may change it.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (inout A) throws(Failure) -> sending Value
    ) -> @Sendable (inout A) -> Void {
        { (argument: inout A) in
            do throws(Failure) {
                self.resume(returning: try answer(&argument), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler of the shape `(inout A, B) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, and may change those that are `inout`.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (inout A, B) throws(Failure) -> sending Value
    ) -> @Sendable (inout A, B) -> Void {
        { (a: inout A, b: B) in
            do throws(Failure) {
                self.resume(returning: try answer(&a, b), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler of the shape `(A, inout B) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, and may change those that are `inout`.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (A, inout B) throws(Failure) -> sending Value
    ) -> @Sendable (A, inout B) -> Void {
        { (a: A, b: inout B) in
            do throws(Failure) {
                self.resume(returning: try answer(a, &b), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }

    /// Makes a handler of the shape `(inout A, inout B) -> Void`.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - answer: Receives the API's arguments, and may change those that are `inout`.
    /// - Returns: The handler.
    @_alwaysEmitIntoClient
    public func handler<A, B>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ answer: @escaping @Sendable (inout A, inout B) throws(Failure) -> sending Value
    ) -> @Sendable (inout A, inout B) -> Void {
        { (a: inout A, b: inout B) in
            do throws(Failure) {
                self.resume(returning: try answer(&a, &b), fileID: fileID, line: line)
            } catch {
                self.resume(throwing: error, fileID: fileID, line: line)
            }
        }
    }
}
