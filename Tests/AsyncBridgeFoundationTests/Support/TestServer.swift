// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An HTTP server on a free port of this machine, with a thread for each connection.
///
/// What it answers, the path says: see ``TestServer/answer(_:on:)``.
final class TestServer: Sendable {
    /// What has happened so far.
    struct Counts: Sendable {
        var requests = 0
        var answers = 0
        /// Connections that the client closed before it had its answer.
        var hangUps = 0
        var bodyBytesSent = 0
    }

    struct Failure: Error {
        let call: String
        let number = errno
    }

    let port: UInt16
    let gate = Gate()
    private let listener: Descriptor
    private let connections = Locked<Set<Int32>>([])
    private let state = Watched(Counts())

    init() throws {
        self.listener = try Descriptor.listening()
        self.port = try self.listener.port()
        Thread.detachNewThread { [self] in self.accept() }
    }

    /// A URL of this server.
    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(self.port)/\(path)")! }

    func request(_ path: String) -> URLRequest { URLRequest(url: self.url(path)) }

    var counts: Counts { self.state.value }

    /// Waits until something has happened.
    func wait(until condition: @escaping @Sendable (Counts) -> Bool) async { await self.state.wait(until: condition) }

    /// Ends all connections and the threads that serve them.
    func stop() {
        self.gate.open()
        self.listener.shutDown()
        // Under the lock: a number that is not in the set may be another connection's by now.
        self.connections.withLock { for connection in $0 { Descriptor.shutDown(connection) } }
    }

    // MARK: Threads

    private func accept() {
        while let connection = self.listener.accept() {
            self.connections.withLock { _ = $0.insert(connection) }
            Thread.detachNewThread { self.serve(ServerConnection(connection)) }
        }
        self.listener.close()
    }

    private func serve(_ connection: ServerConnection) {
        while let request = connection.readRequest() {
            self.state.change { $0.requests += 1 }
            guard self.answer(request, on: connection) else { break }
        }
        self.connections.withLock { _ = $0.remove(connection.descriptor) }
        connection.close()
    }

    /// - Returns: Whether the connection may be used again.
    private func answer(_ request: ServerRequest, on connection: ServerConnection) -> Bool {
        switch request.route {
        case "now":
            self.finish(connection.send(head: "200 OK", length: 5) && connection.send("hello"))
        case "echo":
            self.finish(
                connection.send(head: "200 OK", length: request.body.count, "X-Method: \(request.method)")
                    && connection.send(request.body)
            )
        case "status":
            self.finish(connection.send(head: "\(request.argument) Sorry", length: 0))
        case "redirect":
            self.finish(connection.send(head: "302 Found", length: 0, "Location: /now"))
        case "nowhere":
            self.finish(connection.send(head: "302 Found", length: 0))
        case "anywhere":
            self.finish(connection.send(head: "302 Found", length: 0, "Location: http://[::bad"))
        case "locked":
            self.finish(self.demand("Basic realm=\"x\"", on: connection))
        case "digest":
            self.finish(self.demand("Digest realm=\"x\", nonce=\"y\"", on: connection))
        case "late":
            self.answerLate(connection)
        case "held":
            self.beginAndFinishLate(connection)
        case "never":
            self.waitForHangUp(connection)
        case "stuck":
            self.beginAndWait(connection)
        case "pieces":
            self.finish(self.sendPieces(request.argument, on: connection))
        case "huge":
            self.finish(self.sendHuge(request.argument, on: connection))
        case "broken":
            self.breakOff(connection)
        case "garbage":
            self.talkNonsense(connection)
        default:
            self.finish(connection.send(head: "404 Not Found", length: 0))
        }
    }

    // MARK: Answers

    private func finish(_ wasSent: Bool) -> Bool {
        self.state.change { if wasSent { $0.answers += 1 } else { $0.hangUps += 1 } }
        return wasSent
    }

    private func demand(_ scheme: String, on connection: ServerConnection) -> Bool {
        connection.send(head: "401 Unauthorized", length: 2, "WWW-Authenticate: \(scheme)") && connection.send("no")
    }

    private func answerLate(_ connection: ServerConnection) -> Bool {
        self.gate.wait()
        return self.finish(connection.send(head: "200 OK", length: 4) && connection.send("late"))
    }

    private func beginAndFinishLate(_ connection: ServerConnection) -> Bool {
        guard connection.send(head: "200 OK", length: 10) && connection.send("begun") else { return self.finish(false) }
        self.gate.wait()
        return self.finish(connection.send("ended"))
    }

    private func waitForHangUp(_ connection: ServerConnection) -> Bool {
        connection.waitForHangUp()
        return self.finish(false)
    }

    private func beginAndWait(_ connection: ServerConnection) -> Bool {
        _ = connection.send(head: "200 OK", length: 100) && connection.send("begun")
        return self.waitForHangUp(connection)
    }

    private func breakOff(_ connection: ServerConnection) -> Bool {
        _ = connection.send(head: "200 OK", length: 100) && connection.send("begun")
        return false
    }

    private func talkNonsense(_ connection: ServerConnection) -> Bool {
        _ = connection.send("\u{1}\u{2}HTTP? What is HTTP?\r\n\r\n")
        return false
    }

    private func sendPieces(_ count: Int, on connection: ServerConnection) -> Bool {
        guard connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") else { return false }
        for number in 0..<count {
            let piece = "piece \(number)\n"
            guard connection.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n") else { return false }
        }
        return connection.send("0\r\n\r\n")
    }

    /// A huge body tells which block a byte comes from.
    static func bodyByte(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset / (64 * 1024)) }

    private func sendHuge(_ size: Int, on connection: ServerConnection) -> Bool {
        guard connection.send(head: "200 OK", length: size) else { return false }
        var rest = size
        while rest > 0 {
            let part = min(rest, 64 * 1024)
            let block = Data(repeating: Self.bodyByte(at: size - rest), count: part)
            guard connection.send(block) else { return false }
            self.state.change { $0.bodyBytesSent += part }
            rest -= part
        }
        return true
    }
}
