// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import QuotableServer

@Suite("Bytes that are no request", .timeLimit(.minutes(10)))
struct MalformedRequestTests {
    /// Sends bytes and reads until the server closes the connection.
    private func answer(to bytes: String, from address: QuoteServer.Address) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: bytes))
            var answer = ""
            for try await part in inbound { answer += String(buffer: part) }
            return answer
        }
    }

    @Test(arguments: [
        "RUBBISH\r\n\r\n",
        "GET /quotes HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        "GET /quotes HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET /quotes?query=\u{1} HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ])
    func `they are refused in JSON`(bytes: String) async throws {
        try await QuoteServer.withServer { address in
            let answer = try await self.answer(to: bytes, from: address)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            let body = try #require(answer.range(of: "\r\n\r\n")).upperBound
            let refusal = try JSONDecoder().decode(RefusalBody.self, from: Data(answer[body...].utf8))
            #expect(refusal.statusCode == 400)
        }
    }

    @Test func `a mutated request never hurts`() async throws {
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: nil)) { address in
            var random = SplitMix(seed: 1)
            let request = "GET /search/quotes?query=river&limit=3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            for _ in 0..<200 {
                var scalars = Array(request.unicodeScalars)
                // The last lines stay, or the server waits for the rest.
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<50, using: &random)
                    scalars[index] = Unicode.Scalar(UInt8.random(in: 0...127, using: &random))
                }
                var bytes = ""
                bytes.unicodeScalars.append(contentsOf: scalars)
                let answer = try await self.answer(to: bytes, from: address)
                let status = answer.dropFirst(9).prefix(1)
                #expect(status == "2" || status == "4", "\(bytes): \(answer)")
            }
        }
    }
}
