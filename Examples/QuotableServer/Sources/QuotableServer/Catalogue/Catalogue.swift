// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CQuotableData
import Foundation

/// The quotations as the data file of this package has them.
struct Catalogue: Decodable {
    /// A writer, once for all quotations.
    struct Author: Decodable {
        var slug: String
        var name: String
        var description: String
        var bio: String
        var link: String
        /// Where it differs from ``Catalogue/added``.
        var added: String?
        /// Where it differs from `added`.
        var modified: String?
    }

    /// A quotation with the place where it can be looked up.
    struct Quote: Decodable {
        var content: String
        /// The slug of its author.
        var author: String
        var work: String
        /// Act and scene, chapter, letter or day.
        var place: String
        /// Slugs.
        var tags: [String]
        /// Where it differs from ``Catalogue/added``.
        var added: String?
        /// Where it differs from `added`.
        var modified: String?
    }

    /// The day (yyyy-mm-dd) on which everything came in that does not say otherwise.
    var added: String
    var authors: [Author]
    var quotes: [Quote]
}

extension Catalogue {
    /// The bytes of the data file.
    static var embeddedFile: Data { Data(bytes: quotable_data_start(), count: quotable_data_length()) }
}
