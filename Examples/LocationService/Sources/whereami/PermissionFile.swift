// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import Dispatch
import Foundation
import GPSLocation

/// Where the user's answer is kept.
struct PermissionFile: Sendable {
    private let url: URL

    init() {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0).appending(path: ".config") : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
        self.url = folder.appending(path: "whereami/permission")
    }

    /// What is known; nothing, if the file is not there or says something else.
    var status: AuthorizationStatus {
        guard let text = try? String(contentsOf: self.url, encoding: .utf8) else { return .notDetermined }
        return AuthorizationStatus(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .notDetermined
    }

    func write(_ status: AuthorizationStatus) throws {
        do {
            let folder = self.url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("\(status.rawValue)\n".utf8).write(to: self.url, options: .atomic)
        } catch {
            Printer.complain("The answer cannot be kept in \(self.url.path): \(error.localizedDescription)")
            throw ExitCode.failure
        }
    }

    /// The permission for a manager; if nothing is known, it asks on the terminal.
    func permission() -> LocationPermission {
        LocationPermission(self.status) { answer in
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return answer(.denied) }
            // It blocks a thread until there is an answer.
            DispatchQueue.global().async {
                try? FileHandle.standardError.write(contentsOf: Data("May whereami know the position? [y/N] ".utf8))
                switch readLine()?.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes":
                    // If it cannot be kept, it is asked again the next time.
                    try? self.write(.authorizedWhenInUse)
                    answer(.authorizedWhenInUse)
                case "n", "no":
                    try? self.write(.denied)
                    answer(.denied)
                default:
                    // No answer: for this time.
                    answer(.denied)
                }
            }
        }
    }
}
