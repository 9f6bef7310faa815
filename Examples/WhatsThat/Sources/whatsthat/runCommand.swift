// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import OnnxRuntime
import WhatsThatServices

/// Runs a command's code until it ends or is interrupted, and turns what goes wrong into a message and a status.
///
/// Cancellation: Ctrl-C cancels the code.
///
/// - Parameter body: The code.
/// - Throws: `ExitCode`, when all was said.
func runCommand(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await reportFailures {
        do {
            try await untilInterrupted(body)
        } catch let interruption as SignalInterruption {
            throw ExitCode(interruption.status)
        }
    }
}

/// Runs code, and turns what goes wrong into a message and a status.
///
/// - Parameter body: The code.
/// - Throws: `ExitCode`, when all was said.
func reportFailures(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch is ClosedOutput {
        // The reader has seen enough.
    } catch let failure as OutputFailure {
        complain("\(failure)")
        throw ExitCode.failure
    } catch let error as OnnxError {
        complain(error.code == .modelUnreadable ? "The model cannot be read: \(error)" : "\(error)")
        throw ExitCode.failure
    } catch let error as ClassifierError {
        complain("\(error)")
        throw ExitCode.failure
    }
}

/// Says what is wrong.
func complain(_ text: String) { StandardError.write(line: "whatsthat: \(text)") }
