// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ArgumentParser
import Foundation
public import QuoteKit

/// Which transport carries requests.
enum Transport: String, CaseIterable, ExpressibleByArgument {
    case urlsession
    case httpClient = "http-client"
}

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: "The server, as http://host:port; without it, an in-process one.", transform: Self.host)
    var server: QuotableHost?

    @Option(help: "How the client is called.")
    var style: Style = .async

    @Option(help: "What carries requests.")
    var transport: Transport = .urlsession

    @Flag(help: "Prints JSON.")
    var json = false

    private static func host(_ text: String) throws -> QuotableHost {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw ValidationError("'\(text)' is no server. Write its address as http://host:port.")
        }
        return QuotableHost(url)
    }

    /// For commands with one answer.
    func refuseSequence() throws {
        if self.style == .sequence {
            throw ValidationError("There is only one answer, no sequence. Use another style, or 'list'.")
        }
    }
}

/// Which quotations are wanted.
struct FilterOptions: ParsableArguments {
    @Option(help: "The minimum number of characters.")
    var minLength: Int?

    @Option(help: "The maximum number of characters.")
    var maxLength: Int?

    @Option(name: .customLong("tag"), help: "A tag; may be given several times.")
    var tags: [String] = []

    @Flag(help: "One of the tags is enough.")
    var any = false

    @Option(name: .customLong("author"), help: "An author's name; may be given several times.")
    var authors: [String] = []

    var type: QuotableTagMatch { self.any ? .either : .all }

    var queryItems: [QuotableQueryItem] {
        var items: [QuotableQueryItem] = []
        if let minLength { items.append(.minLength(minLength)) }
        if let maxLength { items.append(.maxLength(maxLength)) }
        if !self.tags.isEmpty { items.append(.tags(self.tags, self.type)) }
        if !self.authors.isEmpty { items.append(.authors(self.authors)) }
        return items
    }
}

/// Which part of a list is wanted.
struct PageOptions: ParsableArguments {
    @Option(help: "How many, 1 to 150; in style 'sequence', as many as you like.")
    var limit = 10

    @Option(help: "Which page, from 1; not in style 'sequence', which starts with the first.")
    var page = 1

    func validate() throws {
        if self.limit < 1 { throw ValidationError("--limit must be 1 at least.") }
        if self.page < 1 { throw ValidationError("--page must be 1 at least.") }
    }

    /// Refuses what the style would leave out in silence.
    func check(for style: Style) throws {
        if style == .sequence {
            if self.page != 1 { throw ValidationError("Style 'sequence' starts at page 1: leave out --page.") }
        } else if self.limit > 150 {
            throw ValidationError("A page has 150 at most. Take --style sequence for more.")
        }
    }

    /// How much a sequence fetches at once.
    var pageSize: Int { min(self.limit, 20) }
}

extension QuotesSortType: ExpressibleByArgument {}
extension AuthorsAndTagsSortType: ExpressibleByArgument {}
extension QuotableListOrder: ExpressibleByArgument {}
