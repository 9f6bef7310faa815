// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

#if swift(>=6)
/// Used by one coroutine at a time, which the compiler is told.
final class Screen: @unchecked Sendable {
    var label = ""
}

/// A value that futures may hand out to many.
struct Page: Sendable {
    var title: String
}
#else
class Screen {
    var label = ""
}

class Page {
    var title: String

    init(title: String) { self.title = title }
}
#endif

func checkCaptures() {
    let screen = Screen()
    let end = DispatchSemaphore(value: 0)

    #if swift(>=6)
    inCoroutine {
        // What a coroutine alone uses lies in it.
        var count = 0
        for number in 0..<3 { count += try DispatchQueue.global().coroutineFuture { number }.await() }
        check(count, is: 3, "a variable in a coroutine")
    }
    #else
    // What a coroutine alone uses may lie around it.
    var count = 0
    DispatchQueue.global().startCoroutine {
        for number in 0..<3 { count += try DispatchQueue.global().coroutineFuture { number }.await() }
        end.signal()
    }
    end.wait()
    check(count, is: 3, "a variable around a coroutine")
    #endif

    DispatchQueue.global().startCoroutine {
        let page = try DispatchQueue.global().await { Page(title: "title") }
        screen.label = page.title
        let future = DispatchQueue.global().coroutineFuture { Page(title: screen.label + "s") }
        screen.label = try future.map { $0 }.await().title
        future.whenSuccess { page in screen.label += page.title }
        let channel = CoChannel<Page>()
        channel.offer(page)
        channel.map { $0.title }.whenReceive { result in
            if case .success(let title) = result { screen.label += title }
        }
        future.whenComplete { screen.label += "." }
        end.signal()
    }
    check(end.wait(timeout: .now() + 20) == .success, "the coroutine did not end")
    check(screen.label, is: "titlestitlestitle.", "what was captured")
}
