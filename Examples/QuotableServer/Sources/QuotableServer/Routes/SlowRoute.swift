// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird
import Logging
import NIOCore

/// A route that takes its time, and notices when the client does not wait: `/slow?seconds=3`.
///
/// It sends a line each tenth of a second, and logs whether it got to the end.
struct SlowRoute {
    func add(to router: Router<QuotableContext>) {
        router.get("slow") { request, context in
            let seconds = Parameters(request).number("seconds", in: 1...600) ?? 3
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody { writer in
                    try await self.send(seconds: seconds, over: request, to: &writer, context: context)
                }
            )
        }
    }

    @concurrent private func send(
        seconds: Int,
        over request: Request,
        to writer: inout any ResponseBodyWriter,
        context: QuotableContext
    ) async throws {
        let start = ContinuousClock.now
        let lines = seconds * 10
        var sent = 0
        context.logger.info("Slow answer begun", metadata: ["of": "\(lines)"])
        do {
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                while sent < lines {
                    try await Task.sleep(for: .milliseconds(100))
                    try await writer.write(ByteBuffer(string: "\(sent + 1) of \(lines)\n"))
                    sent += 1
                }
            }
        } catch {
            context.logger.notice(
                "Slow answer cut off",
                metadata: [
                    "client": "\(context.clientAddress ?? "-")", "lines": "\(sent)", "of": "\(lines)",
                    "milliseconds": "\((ContinuousClock.now - start).wholeMilliseconds)",
                ]
            )
            throw error
        }
        try await writer.finish(nil)
        context.logger.info("Slow answer complete", metadata: ["lines": "\(sent)"])
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        self.components.seconds * 1000 + self.components.attoseconds / 1_000_000_000_000_000
    }
}
