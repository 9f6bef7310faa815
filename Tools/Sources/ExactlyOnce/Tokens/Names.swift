// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What names promise.
///
/// One place for all lists, because a syntax checker lives by them.
package enum Names {
    /// Whether a parameter or label of this name is called once with an answer.
    static func isCompletion(_ name: String) -> Bool {
        if exact.contains(name) { return true }
        // What looks into the answers of others gets each of them.
        if name.hasPrefix("intercept") { return false }
        return name.hasSuffix("Completion") || name.hasSuffix("CompletionHandler") || name.hasSuffix("CompletionBlock")
            || name.hasPrefix("completion") && !name.hasPrefix("completionQueue")
    }

    /// Parts of names: a text that has none of them has no handler and no continuation.
    ///
    /// Each name below contains one.
    static let words: [StaticString] = [
        "ontinuation", "ompletion", "omplete", "reply", "onResult", "resultHandler", "decisionHandler",
    ]

    package static let exact: Set<String> = [
        "decisionHandler", "completion", "completionHandler", "completionBlock", "completed", "reply", "replyHandler",
        "onCompletion",
        "onComplete", "withCompletion", "withCompletionHandler", "resultHandler", "onResult", "whenComplete",
    ]

    /// Whether a type of this name is that of a handler, wherever it is declared.
    static func isHandlerType(_ name: String) -> Bool {
        ["CompletionHandler", "CompletionBlock", "CompletionClosure"].contains { name.hasSuffix($0) }
    }

    /// Whether a variable of this name holds a continuation.
    static func isContinuation(_ name: String) -> Bool {
        name == "cont" || name == "continuation" || name.hasSuffix("Continuation")
    }

    /// Whether a label belongs to a pair of which one is called: `success:` and `failure:`.
    static func isHalfOfAPair(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return ["success", "failure", "error", "fail", "value", "rejected", "fulfilled"].contains {
            lowered == $0 || lowered == "on" + $0
        }
    }

    /// Whether a closure with this label is called if all went well, or if not: `onSuccess:`, `errorHandler:`.
    static func isHalfLabel(_ label: String) -> Bool {
        var word = label.lowercased()
        if word.hasPrefix("on") { word.removeFirst(2) }
        for end in ["handler", "block", "closure", "callback"] where word.hasSuffix(end) { word.removeLast(end.count) }
        return ["success", "failure", "error", "fail", "failed", "succeeded", "rejected", "fulfilled", "reply"]
            .contains(word)
    }

    /// Whether a closure with these parameters gets an answer.
    static func isAnswer(_ parameters: [String]) -> Bool {
        let words = ["result", "error", "err", "data", "response", "value", "success", "granted", "status", "reply"]
        return parameters.contains { name in
            words.contains { name.lowercased() == $0 || name.lowercased().hasSuffix($0) }
        }
    }

    /// Whether a closure with these parameters gets an answer, and is not called for each of several values.
    static func isAnswerAlone(_ parameters: [String]) -> Bool {
        parameters.contains { ["result", "error", "response", "reply"].contains($0) }
    }

    /// Whether a function of this name gives its closure a continuation.
    static func makesContinuation(_ name: String) -> Bool {
        guard name.hasPrefix("with"), name.hasSuffix("Continuation") else { return false }
        return name.contains("Checked") || name.contains("Unsafe")
    }

    /// Whether a property of this name keeps a closure for somebody who calls it.
    static func isCallback(_ name: String) -> Bool {
        ["Block", "Handler", "Callback", "Callbacks", "Handlers"].contains { name.hasSuffix($0) }
    }

    /// Whether a function of this name, in small letters, only takes its closure to another thread.
    static func isHop(_ name: String) -> Bool {
        name.hasPrefix("dispatch") || ["mainthread", "mainqueue", "onmain"].contains { name.contains($0) }
    }

    /// Whether a function of this name tells only when something has been shown.
    static func isAnimation(_ name: String) -> Bool {
        ["present", "dismiss", "animate", "performBatchUpdates", "transition"].contains(name)
    }

    /// Whether a closure with these parameters is called for each of several things.
    static func isIteration(_ parameters: [String]) -> Bool {
        parameters.contains { ["stop", "index", "idx", "partialResult"].contains($0) }
    }

    /// Whether a type of this name does nothing on purpose.
    static func isStub(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return [
            "noop", "dummy", "stub", "mock", "fake", "preview", "empty", "null", "placeholder", "disabled", "spy",
            "simulator", "unavailable",
        ]
        .contains { lowered.contains($0) }
    }

    /// Whether a condition with this text asks if the answer has been given.
    ///
    /// `names` are its identifiers.
    static func isLatch(_ text: String, names: [String], except parameters: Set<String>) -> Bool {
        // A callback that comes in parts says so in a parameter, and so does one that has answered from a cache.
        if names.contains(where: { partNames.contains($0) || isFromCache($0) }) { return true }
        // Such answers come before the last one: whether they are wanted is often a parameter.
        if names.contains(where: { $0.lowercased().contains("intermediate") }) { return true }
        for name in names where !parameters.contains(name) {
            let lowered = name.lowercased()
            // Whoever may deliver takes the right to it.
            if lowered.hasPrefix("consume") { return true }
            if lowered.hasPrefix("sent") || lowered.hasPrefix("didsend") { return true }
            if latchNames.contains(lowered) || latchCalls.contains(name) { return true }
            for prefix in ["did", "has", "is", "was", "already", "have"] where lowered.hasPrefix(prefix) {
                let rest = lowered.dropFirst(prefix.count)
                if latchWords.contains(where: { rest == $0 || rest.hasPrefix("already" + $0) || rest == "been" + $0 }) {
                    return true
                }
                if ["resume", "receive", "callcompl", "calledcompl"].contains(where: { rest.hasPrefix($0) }) {
                    return true
                }
            }
        }
        return false
    }

    /// Whether a flag of this name says that the answer of a cache has been given: `hasCachedImage`, `servedFromCache`.
    private static func isFromCache(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return ["hascached", "didcached"].contains { lowered.hasPrefix($0) }
            || ["servedfromcache", "returnedcached", "deliveredcached", "sentcached"].contains { lowered.contains($0) }
    }

    /// Whether a function of this name ends the wait of an earlier caller: `cancelCurrentAuthorization`.
    static func endsEarlierWait(_ name: String) -> Bool {
        let verbs = ["cancel", "fail", "finish", "reset", "stop", "abort", "interrupt", "reject", "clear"]
        let others = ["Current", "Pending", "Previous", "Existing", "Active", "Ongoing"]
        return verbs.contains { name.hasPrefix($0) } && others.contains { name.contains($0) }
    }

    /// Whether these are all the ends that work can have, so that no other case of the same value is one.
    static func areAllEnds(_ cases: Set<String>) -> Bool {
        let ends: [Set<String>] = [
            ["completed", "finished", "succeeded", "success"], ["failed", "failure"], ["cancelled", "canceled"],
        ]
        return ends.allSatisfy { !$0.isDisjoint(with: cases) }
    }

    /// Whether a function of this name runs its closure only the first time: `settleOnce`.
    static func runsOnce(_ name: String) -> Bool {
        guard name.hasSuffix("Once") else { return false }
        return [
            "settle", "resume", "call", "run", "finish", "complete", "deliver", "do", "execute", "perform", "answer",
        ]
        .contains { name.hasPrefix($0) }
    }

    /// Whether a function of this name takes a closure for one of two ends: a second call may take that for the other.
    static func isForOneEnd(_ name: String) -> Bool {
        ["whenSuccess", "whenFailure", "onSuccess", "onFailure", "onError"].contains { name.hasPrefix($0) }
    }

    /// Whether a function of this name ends what another one began: to leave it out does harm.
    static func isCleanup(_ name: String) -> Bool {
        ["unlock", "leave", "signal", "objc_sync_exit"].contains(name) || name.hasPrefix("end")
            || name.hasSuffix("_unlock")
    }

    /// Whether an object of this name runs what it gets only the first time: `once.run { … }`.
    static func isOnce(_ name: String) -> Bool {
        name == "once" || name.hasSuffix("Once")
            || name.hasPrefix("once") && name.dropFirst(4).first?.isUppercase == true
    }

    /// Whether a handler of this name may be one of many calls: `onResult`.
    static func isEvent(_ name: String) -> Bool {
        name.hasPrefix("on") && name.dropFirst(2).first?.isUppercase == true
    }

    /// Whether it is how many of several there are, or are left.
    static func isCount(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return ["count", "total", "completed", "finished", "remaining", "pending", "processed", "expected"]
            .contains { lowered.contains($0) }
    }

    /// Whether a function of this name drops calls on purpose.
    static func dropsCalls(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return ["debounce", "throttle"].contains { lowered.contains($0) }
    }

    /// Whether an object of this type calls its closures for each event.
    static func isListener(_ type: String) -> Bool {
        ["Delegate", "Observer", "Listener", "Monitor", "Watcher"].contains { type.hasSuffix($0) }
    }

    private static let partNames: Set<String> = [
        "done", "isFinal", "isFinalCheck", "isLast", "isDegraded", "PHImageResultIsDegradedKey",
        "PHLivePhotoInfoIsDegradedKey",
    ]

    private static let latchNames: Set<String> = [
        "resumed", "finished", "completed", "called", "fired", "done", "settled", "resolved", "answered", "responded",
        "once", "alreadyresumed", "alreadycalled", "oncelock", "resumeonce", "iscompletioncalled", "completioncalled",
        "continuationresumed", "callbackcalled", "handled", "delivered",
    ]
    private static let latchWords: Set<String> = [
        "resumed", "finished", "finish", "completed", "complete", "called", "call", "fired", "fire", "done", "settled",
        "resolved", "answered", "responded", "replied", "returned", "sent", "continued", "continue", "handled",
        "delivered", "invoked",
        "terminated",
    ]
    private static let latchCalls: Set<String> = [
        "exchange", "compareExchange", "take", "checkAndSet", "testAndSet", "setIfUnset", "tryResume", "claim",
        "shouldResume", "markResumed", "markCompleted", "trySet", "firstTime", "isFirst", "isFirstCall",
    ]

    /// Whether a condition asks if the work was cancelled.
    static func isCancellation(_ names: [String]) -> Bool {
        names.contains {
            let lowered = $0.lowercased()
            return [
                "iscancelled", "iscanceled", "cancelled", "canceled", "didcancel", "didcancelled", "wascancelled",
                "wascanceled", "hasbeencancelled",
            ].contains(lowered)
        }
    }

    static let neverReturn: Set<String> = [
        "fatalError", "preconditionFailure", "abort", "exit", "_exit", "dispatchMain",
    ]
    static let impossible: Set<String> = ["assertionFailure", "XCTFail"]

    static let semaphoreWords = ["semaphore", "sema", "dispatchgroup"]
    static let timeWords = ["timeout", "timer", "deadline"]
}
