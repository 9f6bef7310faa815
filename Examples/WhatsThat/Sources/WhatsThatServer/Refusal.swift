// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import HTTPTypes
import Hummingbird
import OnnxRuntime
import PictureDecoding
import WhatsThatServices

/// An error that the client gets to see.
struct Refusal: Error, Equatable {
    var status: HTTPResponse.Status
    var message: String
    var headers: HTTPFields = [:]

    /// What it looks like on the wire.
    struct Body: Equatable, Codable {
        /// What the client should know.
        struct Details: Equatable, Codable {
            var message: String
        }

        var error: Details
    }

    static let busy = Self(
        status: .serviceUnavailable,
        message: "Too many pictures are waiting. Try again in a moment.",
        headers: [.retryAfter: "2"]
    )
    /// What was sent is no request, or the client has left in the middle of it.
    static let unreadable = Self(status: .badRequest, message: "The request could not be understood.")
    static let nothingSent = Self(status: .badRequest, message: "No picture was sent.")

    /// The ``Body`` of what is no request, for which there is no encoder yet.
    static let malformed = #"{"error":{"message":"The request could not be understood."}}"#
}

extension Refusal {
    /// What a client is told of an error; nil for those that are of the server alone.
    init?(_ error: any Error) {
        switch error {
        case let refusal as Refusal:
            self = refusal
        case let error as PictureError where error.code == .notAPicture:
            self.init(status: .unsupportedMediaType, message: error.description)
        case let error as PictureError where error.code == .tooLarge:
            self.init(status: .contentTooLarge, message: error.description)
        case let error as PictureError:
            self.init(status: .unprocessableContent, message: error.description)
        case BridgeFault.timedOut:
            self.init(status: .requestTimeout, message: "The picture did not arrive in time.")
        case is CancellationError:
            // The client has gone, or the server is about to end.
            self.init(status: .serviceUnavailable, message: "The request was cancelled.")
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            self.init(status: .contentTooLarge, message: "The file is too large.")
        case let error as any HTTPResponseError where error.status == .notFound:
            self.init(status: .notFound, message: "There is no such page.")
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            self.init(status: error.status, message: "\(error.status.reasonPhrase).")
        default:
            return nil
        }
    }
}
