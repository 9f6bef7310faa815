// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport

/// Runs a command, and turns what goes wrong into a message and a status.
///
/// Cancellation: Ctrl-C cancels the command.
func runCommand(_ body: @escaping @Sendable () async throws -> Void) async throws {
    do {
        try await untilInterrupted(body)
    } catch let interruption as SignalInterruption {
        throw ExitCode(interruption.status)
    } catch is ClosedOutput {
        // The reader has seen enough.
    } catch let failure as OutputFailure {
        complain("\(failure)")
        throw ExitCode.failure
    } catch let failure as Failure {
        complain(failure.description)
        throw ExitCode.failure
    }
}
