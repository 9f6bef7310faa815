// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import HTTPTypes
import Hummingbird

/// An error that the client gets to see.
struct Refusal: Error, Equatable {
    var status: HTTPResponse.Status
    var message: String
    var headers: HTTPFields = [:]

    static let notFound = Self(status: .notFound, message: "The requested resource could not be found")
    static let noRoute = Self(status: .notFound, message: "There is no such route")
    static let internalError = Self(status: .internalServerError, message: "Something went wrong on the server")
    static let uriTooLong = Self(status: .uriTooLong, message: "The address of the request is too long")

    /// The ``RefusalBody`` of what is no request, for which there is no encoder yet.
    static let malformed = #"{"statusCode":400,"statusMessage":"The request could not be understood"}"#

    static func tooMany(in parameter: String, limit: Int) -> Self {
        Self(status: .unprocessableContent, message: "The parameter '\(parameter)' has more than \(limit) names")
    }

    static func missing(parameter: String) -> Self {
        Self(status: .unprocessableContent, message: "The parameter '\(parameter)' is missing or empty")
    }
}

/// What a ``Refusal`` looks like on the wire.
struct RefusalBody: Equatable, Codable {
    var statusCode: Int
    var statusMessage: String
}
