// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CommandSupport

/// Writes a line, without what could steer a terminal.
///
/// - Throws: ``ClosedOutput``, ``OutputFailure``.
func printLine(_ line: String) async throws { try await printBytes(Array("\(Printable.text(line))\n".utf8)) }

/// Writes bytes as they are.
///
/// - Throws: ``ClosedOutput``, ``OutputFailure``.
func printBytes(_ bytes: [UInt8]) async throws { try await offPool { try StandardOutput.write(bytes) } }

/// Writes a line about what is wrong.
func complain(_ line: String) { StandardError.write(line: "contacts: \(line)") }
