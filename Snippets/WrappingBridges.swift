// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Wrap the bridge in a function of your own", and two examples of "Cancellation, timeouts and late values".

import AsyncBridge
import Dispatch
import Synchronization

// snippet.WRAPPER
/// How this app awaits its server: a time limit for all, the app's own error, and the caller's place in each report.
nonisolated(nonsending) func ask<Answer: Sendable>(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ start: (Callback<Answer, any Error>) throws -> Server.Request
) async throws -> Answer {
    do {
        return try await withCallback(timeout: .seconds(30), fileID: fileID, line: line, start) { $0.cancel() }
    } catch let fault as BridgeFault where fault.code == .timedOut {
        throw ServerIsSilent(place: "\(fault.made)")
    }
}
// snippet.end

// snippet.USE
extension Server {
    nonisolated(nonsending) func quote(
        id: Int,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> String {
        try await ask(fileID: fileID, line: line) { callback in
            self.fetchQuote(id: id, completion: callback.handler())
        }
    }
}
// snippet.end

// snippet.WRITE
extension Server {
    /// Returns when the server has said whether it has written, in a cancelled task too.
    nonisolated(nonsending) func save(_ text: String) async throws {
        try await withCallback(cancellation: .cooperative) { callback in
            self.write(text, completion: callback.handler())
        } onCancel: { request in
            request.cancel()
        }
    }
}
// snippet.end

// snippet.CATCHBEFORE
func refreshBefore(_ server: Server) async -> String {
    do {
        return try await server.quote(id: 1)
    } catch {
        return "The server cannot be reached. Try again?"
    }
}
// snippet.end

// snippet.CATCHAFTER
func refresh(_ server: Server) async -> String? {
    do {
        return try await server.quote(id: 1)
    } catch is CancellationError {
        return nil
    } catch {
        return "The server cannot be reached. Try again?"
    }
}
// snippet.end

// snippet.RETRY
func quote(_ server: Server, attempts: Int) async throws -> String {
    for _ in 1..<attempts {
        do {
            return try await server.quote(id: 1)
        } catch is CancellationError {
            // A retry would ask for what nobody wants any more, and each attempt would throw this again.
            throw CancellationError()
        } catch {
            continue
        }
    }
    return try await server.quote(id: 1)
}
// snippet.end

BridgeDiagnostics.policy = .ignore
let server = Server()
var places: Set<BridgeDiagnostics.CallSite> = []
for id in [0, -1] {
    do {
        // Two callers, of two lines.
        print(id == 0 ? try await server.quote(id: id) : try await server.quote(id: -1))
    } catch let fault as BridgeFault {
        places.insert(fault.made)
    }
}
do { _ = try await server.quote(id: -2) } catch let fault as BridgeFault { places.insert(fault.made) }
print("dropped in \(places.count) places")

let write = Task { try await server.save("kept") }
write.cancel()
let outcome = await write.result
print("cancelled before: \(outcome), written: \(server.written)")
try await server.save("kept")
print("written: \(server.written)")

let late = Task {
    while !Task.isCancelled { await Task.yield() }
    return (await refreshBefore(server), await refresh(server))
}
late.cancel()
let (before, after) = await late.value
print("before: \(before), after: \(after ?? "nothing")")
print(try await quote(server, attempts: 2))

// snippet.hide
// MARK: - Stand-ins

struct ServerIsSilent: Error {
    let place: String
}

struct Forgetful {
    func async(_ completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        // A no-op: this queue forgets what it is given.
    }
}

final class Server: Sendable {
    struct Request: Sendable {
        func cancel() {}
    }

    private let texts = Mutex<[String]>([])

    var written: [String] { self.texts.withLock { $0 } }

    /// Forgets to answer for negative numbers.
    func fetchQuote(id: Int, completion: @escaping @Sendable (String?, (any Error)?) -> Void) -> Request {
        let (quotes, forgotten) = (DispatchQueue.global(), Forgetful())
        if id >= 0 {
            quotes.async { completion("Well begun is half done.", nil) }
        } else {
            forgotten.async(completion)
        }
        return Request()
    }

    func write(_ text: String, completion: @escaping @Sendable ((any Error)?) -> Void) -> Request {
        self.texts.withLock { $0.append(text) }
        completion(nil)
        return Request()
    }
}
