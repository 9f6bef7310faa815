// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What Foundation's URLSession does on Linux when a transfer is cancelled around its answer.
//
//     Repro crash 20000      URLSessionTask.cancel(), in a session with a cache: ends the process
//     Repro hang 20000       the async `data(from:)`, in a session without one: hangs
//     Repro nocache 100000   URLSessionTask.cancel(), in a session without one: survives

import Foundation
import FoundationNetworking

/// How long an answer takes at most on this machine, in microseconds: the cancellation comes somewhere in it.
let spread = 600

func spin(microseconds: Int) {
    let end = DispatchTime.now() + .microseconds(microseconds)
    while DispatchTime.now() < end {}
}

func makeSession(cache: Bool) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    if !cache { configuration.urlCache = nil }
    return URLSession(configuration: configuration)
}

/// - Returns: How many were cancelled in time.
func cancelTasks(_ count: Int, of session: URLSession, _ url: URL) -> Int {
    var cancelled = 0
    for _ in 0..<count {
        let end = DispatchSemaphore(value: 0)
        let task = session.dataTask(with: url) { _, _, _ in end.signal() }
        task.resume()
        spin(microseconds: .random(in: 0...spread))
        task.cancel()
        end.wait()
        if task.error != nil { cancelled += 1 }
    }
    return cancelled
}

/// - Returns: How many were cancelled in time.
func cancelAsync(_ count: Int, of session: URLSession, _ url: URL) async -> Int {
    var cancelled = 0
    for _ in 0..<count {
        let task = Task.detached { try await session.data(from: url) }
        spin(microseconds: .random(in: 0...spread))
        task.cancel()
        if case .failure = await task.result { cancelled += 1 }
    }
    return cancelled
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { fatalError("Repro crash|hang|nocache count") }
let url = Server.start()
let cancelled =
    switch arguments[1] {
    case "crash": cancelTasks(count, of: makeSession(cache: true), url)
    case "nocache": cancelTasks(count, of: makeSession(cache: false), url)
    case "hang": await cancelAsync(count, of: makeSession(cache: false), url)
    default: fatalError("Repro crash|hang|nocache count")
    }
print("\(count) requests, \(cancelled) of them cancelled in time")
