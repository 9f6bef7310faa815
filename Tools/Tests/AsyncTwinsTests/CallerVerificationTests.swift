// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Rewritten calls that do not compile, with a build that only says so.
@Suite(.timeLimit(.minutes(10))) struct `Rewritten calls are taken back until the package builds` {
    private func verify(_ caller: String, _ output: (_ text: String) -> String) throws -> (CallerVerification.File, Int)
    {
        let package = PlannedPackage(["App/Api.swift": `Calls become calls of twins`.api])
        let file = SourceFile(path: "App/Caller.swift", source: caller)
        let sites = CallerRewriter(TwinCalls(package.plan)).sites(in: file)
        var verification = CallerVerification([.init(path: "/p/Caller.swift", source: file, sites: sites)])
        try verification.run { texts in
            let output = output(texts[0].text)
            return Verification.Build(succeeded: !output.contains(" error: "), output: output)
        }
        return (verification.files[0], verification.builds)
    }

    static let two = """
        func f() async {
            api.save(x) { if let e = $0 { log(e) } else { done() } }
        }
        func g() async {
            api.ping { r in
                switch r {
                case .success: done()
                case .failure: break
                }
            }
        }

        """

    /// A diagnostic at the line that has some text.
    private static func diagnostic(_ message: String, at needle: String, in text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.firstIndex { $0.contains(needle) }.map { "/p/Caller.swift:\($0 + 1):9: \(message)\n" } ?? ""
    }

    @Test func `a call that does not compile is taken back, and no other`() throws {
        let (file, builds) = try verify(Self.two) { text in
            Self.diagnostic("error: no", at: "try await api.save(x)", in: text)
        }
        #expect(builds == 2)
        #expect(file.sites.map(\.reason) == [.compiler(["no"]), nil])
        #expect(file.text.hasPrefix(Self.two.prefix(80)))
        #expect(file.text.contains("        try await api.ping()\n"))
    }

    @Test func `a call of something that is not async is taken back`() throws {
        let words = "warning: no 'async' operations occur within 'await' expression"
        let (file, _) = try verify(Self.two) { text in Self.diagnostic(words, at: "try await api.ping()", in: text) }
        #expect(file.sites.map { $0.reason == nil } == [true, false])
    }

    @Test func `an error beside the calls takes the nearest back`() throws {
        let (file, builds) = try verify(Self.two) { text in
            text.contains("try await api.ping") ? Self.diagnostic("error: no", at: "func g()", in: text) : ""
        }
        #expect(builds == 2)
        #expect(file.sites.map(\.reason) == [nil, .compiler(["no"])])
    }

    @Test func `a continuation that does not compile as a call is taken back`() throws {
        let code = """
            func f() async throws -> User {
                try await withCheckedThrowingContinuation { c in
                    api.user(1, completion: c.resume)
                }
            }
            func g() async throws -> User { try await withCheckedThrowingContinuation { api.user(2, completion: $0.resume) } }

            """
        let (file, builds) = try verify(code) { text in
            Self.diagnostic("error: no", at: "try await api.user(1)", in: text)
        }
        #expect(builds == 2)
        #expect(file.sites.map(\.reason) == [.compiler(["no"]), nil])
        #expect(file.text.contains("        api.user(1, completion: c.resume)\n"))
        #expect(file.text.contains("{ try await api.user(2) }\n"))
    }

    @Test func `an error elsewhere ends it`() {
        #expect(throws: Verification.Failure.unexplained(["/p/b.swift:1: no"])) {
            try verify(Self.two) { _ in "/p/b.swift:1:1: error: no\n" }
        }
    }
}
