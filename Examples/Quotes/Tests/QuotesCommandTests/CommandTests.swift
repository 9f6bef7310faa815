// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import QuotableServer
import Testing

@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
    private static let styles = ["callback", "async", "future", "coroutine", "publisher", "sequence"]
    #if AsyncHTTPClient
    private static let transports = ["urlsession", "http-client"]
    #else
    private static let transports = ["urlsession"]

    @Test func `a transport that was not built in is refused`() async throws {
        let outcome = try await Program.run("random", "--transport", "http-client")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("build it with --traits AsyncHTTPClient"))
    }
    #endif

    @Test func `every style gives the same`() async throws {
        try await QuoteServer.withServer { address in
            var outputs: Set<String> = []
            for style in Self.styles {
                for transport in Self.transports {
                    let outcome = try await Program.run(
                        "list",
                        "--server",
                        address.url,
                        "--style",
                        style,
                        "--transport",
                        transport,
                        "--tag",
                        "love",
                        "--sort-by",
                        "content",
                        "--limit",
                        "25",
                        "--json"
                    )
                    #expect(outcome.status == 0)
                    #expect(outcome.errors == "")
                    outputs.insert(outcome.output)
                }
            }
            #expect(outputs.count == 1)
            let json = try JSONSerialization.jsonObject(with: Data((outputs.first ?? "").utf8)) as? [[String: Any]]
            #expect(json?.count == 25)
        }
    }

    @Test(arguments: [
        ["random", "--tag", "time"], ["search", "hope", "springs"], ["search", "--authors", "pascal"],
        ["authors", "--limit", "2"], ["tags", "--sort-by", "quoteCount"], ["list", "--any", "--tag", "love"],
    ])
    func `it brings its own server`(_ arguments: [String]) async throws {
        let outcome = try await Program(arguments).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.split(separator: "\n").count > 1)
    }

    @Test func `through a pipe there are no colours`() async throws {
        let outcome = try await Program.run("random")
        #expect(!outcome.output.contains("\u{1b}"))
    }

    @Test(arguments: [
        [], ["random", "--style", "sequence"], ["list", "--limit", "0"], ["list", "--server", "nonsense"],
        ["watch", "--every", "0"], ["search"], ["dance"], ["list", "--limit", "151"], ["authors", "--limit", "151"],
        ["search", "--style", "sequence", "--page", "3", "hope"],
    ])
    func `wrong words`(_ arguments: [String]) async throws {
        let outcome = try await Program(arguments).run()
        // Without a word it shows its help.
        #expect(outcome.status == (arguments.isEmpty ? 0 : 64))
        #expect(!(outcome.output + outcome.errors).isEmpty)
    }

    @Test func `nothing that fits`() async throws {
        let outcome = try await Program.run("random", "--tag", "nosuchtag")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors == "quotes: Nothing fits. Ask for less: fewer tags, another length, another author.\n")
    }

    @Test func `no such route`() async throws {
        try await QuoteServer.withServer { address in
            let outcome = try await Program.run("random", "--server", "\(address.url)/v2")
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasSuffix("has no such route. Check whether the address is right.\n"))
        }
    }

    @Test func `an output that is closed is no failure`() async throws {
        let program = Program(["list", "--limit", "150"])
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        program.process.standardOutput = pipe
        let outcome = try await program.run()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    #if os(Linux)
    @Test func `an output that is full is`() async throws {
        var program = Program(["random"])
        program.output = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let outcome = try await program.run()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("quotes: The output cannot be written: "))
    }
    #endif

    @Test func `it has a version`() async throws {
        let outcome = try await Program.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: ".").count == 3)
    }

    @Test(arguments: Self.transports) func `nobody there`(_ transport: String) async throws {
        let url = try await QuoteServer.withServer { $0.url }
        let outcome = try await Program.run("tags", "--server", url, "--transport", transport)
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("quotes: The server cannot be reached"))
        #expect(outcome.errors.contains("Check whether \(url) runs"))
    }

    @Test func `too many requests`() async throws {
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: 1)) { address in
            let first = try await Program.run("tags", "--server", address.url)
            #expect(first.status == 0)
            let second = try await Program.run("tags", "--server", address.url)
            #expect(second.status == 1)
            #expect(second.errors.hasPrefix("quotes: Too many requests. Try again in "))
        }
    }

    @Test(arguments: Self.transports) func `ctrl C`(_ transport: String) async throws {
        let program = Program(["watch", "--every", "0.1", "--json", "--transport", transport])
        let lines = Pipe()
        let process = program.process
        process.standardOutput = lines
        lines.fileHandleForReading.readabilityHandler = { handle in
            // It runs when it has printed something; nothing is the end of the pipe.
            if handle.availableData.isEmpty { handle.readabilityHandler = nil } else { process.interrupt() }
        }
        let outcome = try await program.run()
        #expect(outcome.status == 130, "\(outcome.errors)")
    }
}
