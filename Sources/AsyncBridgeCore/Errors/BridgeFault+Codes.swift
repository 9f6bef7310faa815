// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The codes by their fault's name, as `URLError` has them: `catch BridgeFault.timedOut`.

extension BridgeFault.Code {
    /// Whether an error is a fault of a code, for `catch` and `case`.
    ///
    /// ```swift
    /// do {
    ///     quote = try await client.quote(id: id)
    /// } catch BridgeFault.timedOut {
    ///     show("The server is slow today.")
    /// } catch let fault as BridgeFault {
    ///     logger.error("\(fault)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - error: Any error. One that is no ``BridgeFault`` does not match, nor does the ``BridgeError`` of a function
    ///     with `throwing:`, which keeps its fault as an interruption.
    /// - Returns: Whether it matches.
    /// - Complexity: O(1).
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? BridgeFault)?.code == code }
}

extension BridgeFault {
    /// ``Code-swift.struct/callbackDropped``, for `catch BridgeFault.callbackDropped`.
    public static var callbackDropped: Code { .callbackDropped }

    /// ``Code-swift.struct/timedOut``, for `catch BridgeFault.timedOut`.
    public static var timedOut: Code { .timedOut }

    /// ``Code-swift.struct/noResult``, for `catch BridgeFault.noResult`.
    public static var noResult: Code { .noResult }

    /// ``Code-swift.struct/valueMissing``, for `catch BridgeFault.valueMissing`.
    public static var valueMissing: Code { .valueMissing }

    /// ``Code-swift.struct/unsuccessful``, for `catch BridgeFault.unsuccessful`.
    public static var unsuccessful: Code { .unsuccessful }

    /// ``Code-swift.struct/slotBusy``, for `catch BridgeFault.slotBusy`.
    public static var slotBusy: Code { .slotBusy }

    /// ``Code-swift.struct/slotReplaced``, for `catch BridgeFault.slotReplaced`.
    public static var slotReplaced: Code { .slotReplaced }

    /// ``Code-swift.struct/slotClosed``, for `catch BridgeFault.slotClosed`.
    public static var slotClosed: Code { .slotClosed }

    /// ``Code-swift.struct/sinkDropped``, for `catch BridgeFault.sinkDropped`.
    public static var sinkDropped: Code { .sinkDropped }

    /// ``Code-swift.struct/secondConsumer``, for `catch BridgeFault.secondConsumer`.
    public static var secondConsumer: Code { .secondConsumer }

    /// ``Code-swift.struct/consumerLeft``, for `catch BridgeFault.consumerLeft`.
    public static var consumerLeft: Code { .consumerLeft }

    /// ``Code-swift.struct/bufferOverflow``, for `catch BridgeFault.bufferOverflow`.
    public static var bufferOverflow: Code { .bufferOverflow }

    /// ``Code-swift.struct/noValue``, for `catch BridgeFault.noValue`.
    public static var noValue: Code { .noValue }

    /// ``Code-swift.struct/severalValues``, for `catch BridgeFault.severalValues`.
    public static var severalValues: Code { .severalValues }

    /// ``Code-swift.struct/subscriberDropped``, for `catch BridgeFault.subscriberDropped`.
    public static var subscriberDropped: Code { .subscriberDropped }
}
