// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
/// Every name of the libraries that a twin mentions.
///
/// Nothing else in this module spells one. A name of a module stands before each, because a member of the user's type
/// with the same name would hide it.
enum HubNames {
    static let module = "AsyncBridge"
    /// The modules that twins mention.
    ///
    /// A type with one of these names hides the module.
    static let modules: Set = ["Swift", "AsyncBridge", "AsyncBridgeFutures", "AsyncBridgeCombine", "AsyncBridgeMacros"]

    static let void = "Swift.Void"
    static let error = "Swift.Error"

    /// All that stand behind a module in what is written.
    static let qualified: [String] = {
        let swift = ["Error", "Never", "Result", "SendableMetatype", "StaticString", "UInt", "Void", "fatalError"]
        let ours = [
            withCallback, callAsync, callHandle, cancel, stop, sending, leaving, result, callbackSequence,
            bufferingPolicy, replySlot, future, publisher, delegateSinksType, delegateFlow, delegateSender,
            "\(module)._error", "\(module)._uncheckedError", "\(module).BridgeFault",
        ]
        return swift.map { "Swift.\($0)" } + ours
    }()

    // MARK: Waiting for a callback

    static let withCallback = "AsyncBridge.withCallback"
    static let valueType = "of"
    static let timeout = "timeout"
    static let ifInterrupted = "ifInterrupted"
    static let onCancel = "onCancel"
    static let cancel = "AsyncBridge._cancel"
    static let stop = "AsyncBridge._stop"
    static let sending = "AsyncBridge._sending"
    static let leaving = "AsyncBridge._Leaving"
    static let cooperative = "cancellation: .cooperative"

    /// What is an error, out of what may only be called like one.
    static func error(unchecked: Bool) -> String {
        unchecked ? "unsafe AsyncBridge._uncheckedError" : "AsyncBridge._error"
    }

    /// Swift's `Result`, out of what may only be called like it.
    static let result = "AsyncBridge._result"

    /// What a handler of each shape is called; see `Callback+Handlers.swift` of the hub.
    static let handler = "handler"
    static let failure = "failure"
    static let valueHandler = "valueHandler"
    static let errorHandler = "errorHandler"
    static let optionalHandler = "optionalHandler"

    /// Answers with a value; the argument and a parenthesis follow.
    static let resume = "resume(returning"

    /// Answers with a result; the argument and a parenthesis follow.
    static let resumeWith = "resume(with"

    /// Answers with a result that need not be `Sendable`; the argument and a parenthesis follow.
    static let resumeUnchecked = "resume(uncheckedWith"

    /// The error of a callback that came with neither a value nor an error.
    static func noResult(_ callback: String) -> String { "AsyncBridge.BridgeFault(.noResult, made: \(callback).made)" }

    // MARK: Calling back

    static let sendableMetatype = "Swift.SendableMetatype"
    static let callAsync = "AsyncBridge.callAsync"
    static let completion = "completion"
    static let callHandle = "AsyncBridge.CallHandle"

    // MARK: Futures and publishers

    static let future = "AsyncBridgeFutures.CoFuture"
    static let publisher = "AsyncBridgeCombine.TaskPublisher"

    // MARK: Delegates

    static let callbackSequence = "AsyncBridge.CallbackSequence"
    static let bufferingPolicy = "AsyncBridge.BufferingPolicy"
    static let replySlot = "AsyncBridge.ReplySlot"
    static let delegateReply = "DelegateReply"
    /// The macro of bodies: what it is to write, the name of the event, is its argument.
    static let delegateBody = "_DelegateBody"
    static let fatalError = "Swift.fatalError"
    static let delegateSinks = "delegateEventSinks"
    static let delegateSinksType = "AsyncBridgeMacros.DelegateEventSinks"
    static let delegateFlow = "AsyncBridgeMacros.DelegateFlow"
    static let delegateSender = "AsyncBridgeMacros.DelegateSender"

    // MARK: The macros

    static let bridged = "Bridged"
    /// The same with a name for the twin: a macro of its own, because one that invents names may not stand in a file.
    static let bridgedAs = "BridgedAs"
    static let bridgedMembers = "BridgedMembers"
    static let bridgedProtocol = "BridgedProtocol"
    static let delegateEvents = "DelegateEvents"
}
#endif
