// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import QuotableServer

@Suite("Errors", .timeLimit(.minutes(10)))
struct ErrorTests {
    @Test func `not found says so`() async throws {
        try await withClient { client async throws in
            let expected = RefusalBody(statusCode: 404, statusMessage: "The requested resource could not be found")
            for path in ["/quotes/none", "/authors/slug/none", "/random?author=none"] {
                #expect(try await client.refusal(path) == expected, "\(path)")
            }
            let noRoute = RefusalBody(statusCode: 404, statusMessage: "There is no such route")
            for path in ["/", "/nowhere", "//"] {
                #expect(try await client.refusal(path) == noRoute, "\(path)")
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
    func `other methods get JSON`(method: HTTPRequest.Method) async throws {
        try await withClient { client async throws in
            #expect(try await client.refusal("/quotes", method: method).statusCode == 404)
        }
    }

    @Test func `head is answered`() async throws {
        try await withClient { client in
            let response = try await client.response("/quotes", method: .head)
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: ["/quotes", "/nowhere", "/quotes/none", "/random?author=none", "/search/quotes"])
    func `head has no body`(path: String) async throws {
        try await withClient { client in
            let response = try await client.response(path, method: .head)
            #expect(response.body.isEmpty)
            // What `GET` says of the body stays.
            let get = try await client.response(path)
            #expect(response.status == get.status)
            #expect(response.headers[.contentType] == get.headers[.contentType])
        }
    }

    @Test func `long addresses are refused`() async throws {
        try await withClient { client async throws in
            let filler = String(repeating: "a", count: LengthLimit.maximum)
            #expect(try await client.refusal("/quotes?tags=\(filler)").statusCode == 414)
            #expect(try await client.refusal("/\(filler)").statusCode == 414)
        }
    }

    @Test func `lists may have a hundred names`() async throws {
        try await withClient { client async throws in
            let hundred = (1..<Parameters.maximumNames).map { "t\($0)" } + ["nature"]
            #expect(try await client.quotes("/quotes?tags=\(hundred.joined(separator: ","))").isEmpty)
            let some = hundred.joined(separator: "%7C")
            #expect(try await client.quotes("/quotes?tags=\(some)").count == 3)
            // What is said twice counts once.
            #expect(try await client.quotes("/quotes?tags=\(some)%7C\(some)").count == 3)
            for path in [
                "/quotes?tags=\(some)%7Cmore", "/quotes?tags=\(some),more", "/random?author=\(some)%7Cmore",
                "/random?authorId=\(some)%7Cmore", "/random?authorSlug=\(some)%7Cmore", "/authors?slug=\(some)%7Cmore",
            ] {
                let refusal = try await client.refusal(path)
                #expect(refusal.statusCode == 422)
                #expect(refusal.statusMessage.hasSuffix("has more than 100 names"))
            }
        }
    }

    @Test func `long queries are cut`() async throws {
        try await withClient { client async throws in
            let many = (0..<1000).map { "t\($0)" }
            #expect(try await client.quotes("/search/quotes?query=\(many.joined(separator: "+"))").isEmpty)
            #expect(try await client.authors("/search/authors?query=\(many.joined(separator: "+"))").isEmpty)
        }
    }

    @Test func `the slow route is off by default`() async throws {
        try await withClient { client async throws in
            #expect(try await client.refusal("/slow?seconds=1").statusCode == 404)
        }
    }

    @Test func `a broken database is an internal error without details`() async throws {
        let store = try Store(.memory, data: Fixture.data)
        try await store.database.write { try $0.execute(sql: "DROP TABLE quoteTag") }
        let application = QuoteServer.application(.init(), store: store)
        let refusal = try await Client(transport: try await DirectTransport(application)).refusal("/quotes")
        #expect(refusal == RefusalBody(statusCode: 500, statusMessage: "Something went wrong on the server"))
    }
}
