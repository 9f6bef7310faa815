// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import OnnxRuntime
import WhatsThatServices

/// Runs a command, and turns what goes wrong into a message and a status.
///
/// Cancellation: Ctrl-C cancels the command.
///
/// - Parameters:
///   - endsWell: Whether Ctrl-C is the way in which it ends.
///   - body: The command's code.
/// - Throws: `ExitCode`, when all was said.
func runCommand(endsWell: Bool = false, _ body: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await untilInterrupted(status: { endsWell ? 0 : $0.status }, body)
    } catch let interruption as SignalInterruption {
        if !endsWell { throw ExitCode(interruption.status) }
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
