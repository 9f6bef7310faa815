// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A file that imports the macros needs nothing else: the twins name what they use.
@_exported public import AsyncBridge

#if Macros
/// Writes a function's twin in the other style: `async` for one with a completion handler, and the other way round.
///
/// ```swift
/// @Bridged
/// func quote(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void) -> QuoteRequest {
///     self.send(id) { completion($0) }
/// }
/// ```
///
/// The twin is a function with the same name, `func quote(id: Int) async throws -> Quote`, made of one `withCallback`;
/// for an `async` function it is made of one `callAsync`. The original stays as it is. What has no twin
/// is an error that says what to write instead.
///
/// ## Exactly one answer
/// The first one wins, a handler that is dropped ends the wait with `BridgeFault`: as in `withCallback`.
///
/// ## Cancellation
/// Cancelling the task of the twin cancels the handle that the function returns, if its type looks like one:
/// `…Request`, `…Task`, `…Operation`. For others there is `.cancel { $0.stop() }`. A twin with a completion handler
/// returns a `CallHandle`.
///
/// ## Isolation
/// The twin has what is written at the original, and no more. If it must stay on its caller's actor, say
/// `.nonsending`.
///
/// - Parameters:
///   - options: `.cancel { … }`, `.unchecked`, `.nonsending`, `.cooperative`, `.optional`, `.values`, `.asyncSuffix`,
///     `.future`, `.publisher`.
///   - completion: The name of the parameter that is the completion handler, if several may be it.
///   - delivers: What the type of the handler stands for, if it is an alias or mentions one:
///     `((Quote?, (any Error)?) -> Void).self`, or as a text, which may mention generic parameters:
///     `"(T?, (any Error)?) -> Void"`.
///   - aliases: What the aliases among the types of parameters, and of what handlers get, stand for:
///     `["Success": ((Quote) -> Void).self, "QuoteResult": Result<Quote, any Error>.self]`.
///     `["Fault": (any Error).self]` says that a type is one of errors.
///   - timeout: When to give up.
///   - ifInterrupted: What the twin returns if the task is cancelled, the handler is dropped, or the wait times out.
///     Such a twin does not throw; the handler must not get an error.
@attached(peer, names: overloaded, suffixed(Async), suffixed(Future), suffixed(Publisher))
public macro Bridged(
    _ options: BridgedOption...,
    completion: StaticString = "",
    delivers: Any = Never.self,
    aliases: KeyValuePairs<StaticString, Any> = [:],
    timeout: BridgeTimeout? = nil,
    ifInterrupted: Any? = nil
) = #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "BridgedMacro")

/// Writes a function's twin with a name of its own: for members, because Swift lets no macro invent names elsewhere.
///
/// Everything else is as with `@Bridged`.
///
/// - Parameters:
///   - name: The name of the twin. The name of the function itself says that the twin is meant to have it, although the
///     completion has a default.
///   - options: As in `@Bridged`.
///   - completion: The name of the parameter that is the completion handler, if several may be it.
///   - delivers: What the type of the handler stands for, if it is an alias.
///   - aliases: What the aliases among the types of parameters stand for.
///   - timeout: When to give up.
///   - ifInterrupted: What the twin returns instead of throwing.
@attached(peer, names: overloaded, arbitrary)
public macro BridgedAs(
    _ name: StaticString,
    _ options: BridgedOption...,
    completion: StaticString = "",
    delivers: Any = Never.self,
    aliases: KeyValuePairs<StaticString, Any> = [:],
    timeout: BridgeTimeout? = nil,
    ifInterrupted: Any? = nil
) = #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "BridgedMacro")

/// Writes the twins of all members of a type or an extension that can have one.
///
/// Left out silently: members that have `@Bridged` already, overrides (their twins are inherited), initialisers,
/// functions whose twin is written by hand beside them, those that look as if they called their handler many times, and
/// async functions of a type that is not declared `Sendable`. A closure that is called `action` or `body` is no
/// handler, unless it gets a `Result` or an error. The twin of a member in `#if` is in one too.
/// The twin of a member whose completion has a default gets a name that ends with "Async", so that calls without a
/// completion go on meaning what they do.
///
/// - Parameters:
///   - names: Functions that get no twin, because it is written by hand elsewhere: `"quote"`, or with labels,
///     `"quote(id:completion:)"`.
///   - aliases: What the aliases among the types of handlers stand for:
///     `["QuoteHandler": ((Quote?, (any Error)?) -> Void).self]`.
@attached(member, names: arbitrary)
public macro BridgedMembers(
    except names: StaticString...,
    aliases: KeyValuePairs<StaticString, Any> = [:]
) = #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "BridgedMembersMacro")

/// Writes the twins of a protocol's requirements, in an extension of the protocol.
///
/// For `func load(id: Int, completion: @escaping @Sendable (Result<Quote, any Error>) -> Void)` every conforming type
/// has `func load(id: Int) async throws -> Quote`, and the other way round for an `async` requirement, if the protocol
/// is `Sendable`. Left out silently are the requirements that `@BridgedMembers` would leave out. If none gets a twin, a
/// warning says why.
///
/// No requirement is added, so every conforming type goes on conforming. A requirement may have `@Bridged` with
/// arguments of its own. Called through `any P`, a twin calls the requirement, not an async method that the type has
/// beside it.
///
/// - Parameters:
///   - names: Requirements that get no twin, because it is written by hand elsewhere.
///   - aliases: What the aliases among the types of handlers stand for.
@attached(extension, names: arbitrary)
public macro BridgedProtocol(
    except names: StaticString...,
    aliases: KeyValuePairs<StaticString, Any> = [:]
) = #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "BridgedProtocolMacro")

/// Writes the bodies of a delegate's methods, and makes a sequence of what they are told.
///
/// ```swift
/// @DelegateEvents
/// final class ReceiverEvents: LocationReceiverDelegate, Sendable {
///     func receiver(_ receiver: LocationReceiver, didUpdate location: Location)
///     func receiver(_ receiver: LocationReceiver, didFail error: any Error)
/// }
/// ```
///
/// `for await event in ReceiverEvents().events(attach: { receiver.delegate = $0 })` is the loop.
///
/// Each method without a body becomes a case of the enum `Event`, which is called `DelegateEvent` if methods get a
/// type of yours called `Event`. The case has the name that says what happened: `readerDidStart(_:)` is `.didStart`,
/// `reader(_:task:didReach:)` is `.didReach(task:_:)`. Where two would have one name, both get a longer one, with what
/// they are about: `.didReachLine`, `.didReachPage`. The sender is left out: a first parameter without a label that
/// others follow, or that the method's name begins with, as in `pickerDidCancel(_ picker: Picker)`. In `didMove(_:to:)`
/// there is none, as the name begins with what happened. A method that must return a value needs a body, and is left
/// alone, as is every method with one.
///
/// ## Exactly once
/// The loop attaches the delegate before it waits, so no event is lost, and `attach(nil)` is called once, when the last
/// loop has ended. The loops keep the delegate alive. Events are kept in order.
///
/// Each loop gets the events of all senders. A delegate that several calls of `events(attach:)` attach to several
/// senders is taken from all of them when its last loop has ended.
///
/// ## Isolation
/// A closure `attach` that is written on an actor, such as the main one, runs there, as soon as the loop waits. Others
/// run in the call that begins the loop, and where it ends, which may be any thread. So do `pause` and `resume`, which
/// others run where the buffer becomes full, and where there is room again. For a sender that is an actor all three may
/// wait: `attach: { await receiver.setDelegate($0) }`. Those that wait, or have an actor, run one after the other, in
/// the order in which they are due; a pause that is needless when its turn comes is left out.
///
/// - Parameter options: `.unchecked`, for values that are not `Sendable`, and for a sender that is not.
@attached(member, names: named(Event), named(events), named(delegateEventSinks), arbitrary)
@attached(memberAttribute)
public macro DelegateEvents(_ options: DelegateOption...) =
    #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "DelegateEventsMacro")

/// Makes a method of a `@DelegateEvents` class answer a `ReplySlot` instead of being an event.
///
/// The slot is a constant with the name that the event would have, or for a method `didPick()` itself `didPickReply`:
/// `try await proxy.didPick.wait { picker.show() }`.
@attached(peer)
public macro DelegateReply() = #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "DelegateReplyMacro")

@_documentation(visibility: internal)
@attached(body)
public macro _DelegateBody(_ name: StaticString, _ options: DelegateOption...) =
    #externalMacro(module: "AsyncBridgeMacrosPlugin", type: "DelegateBodyMacro")
#endif
