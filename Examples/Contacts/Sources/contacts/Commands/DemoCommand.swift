// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import ContactsModel
import ContactsSteps
import Dispatch
import Foundation

/// The command `contacts demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows that every step of the migration does the same, with invented people in a separate database."
    )

    func run() async throws {
        try await runCommand {
            let folder = FileManager.default.temporaryDirectory.appending(path: "contacts-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = PackageResources.people_vcf
            for step in ContactsStep.allCases {
                try await Self.show(step, file, in: folder.appending(path: "\(step.rawValue).sqlite"))
            }
            try await printLine("All steps did the same.")
        }
    }

    private static func show(_ step: ContactsStep, _ file: [UInt8], in database: URL) async throws {
        try await printLine("Step \(step.rawValue): \(step.summary)")
        let program = try await offPool {
            step.program(
                database: try ContactsDatabase.open(database.path(percentEncoded: false)),
                callbackQueue: DispatchQueue(label: "contacts.demo")
            )
        }
        let contacts = try Contact.read(file)
        let first = try await program.importContacts(contacts)
        try await printLine("  import       \(first.saved.summary)")
        let second = try await program.importContacts(contacts)
        try await printLine("  once more    \(second.saved.summary)")
        let found = try await program.search("muller")
        try await printLine("  search       muller: \(found.map(\.name).joined(separator: ", "))")
        try await printLine("  names        \(try await program.names().joined(separator: ", "))")
        let exported = try Contact.read(try await program.exportContacts())
        guard Set(exported) == Set(contacts), first.saved.added == contacts.count, found.count == 1 else {
            throw Failure(subject: "step \(step.rawValue)", reason: "It does something different. Please report this.")
        }
        try await printLine("  export       \(exported.count) cards, the same as were imported")
    }
}

extension ContactsStep {
    /// In words.
    fileprivate var summary: String {
        switch self {
        case .asFound: "as found, with completion handlers and publishers"
        case .asyncBeside: "async functions beside them; nothing that was there has changed"
        #if CONTACTS_WITH_MACROS
        case .macros: "the same, written by macros"
        #endif
        case .asyncPublishers: "publishers of what the async functions return"
        case .sendableHandlers: "completion handlers are Sendable, the module in Swift 6 mode"
        case .asyncCore: "async functions do the work, and completion handlers call them"
        case .callersMoved: "all callers await"
        case .callbacksRemoved: "completion handlers and publishers are gone"
        }
    }
}
