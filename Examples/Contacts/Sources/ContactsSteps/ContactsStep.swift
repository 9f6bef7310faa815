// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch
public import GRDB

/// A step of the migration.
public enum ContactsStep: String, CaseIterable, Sendable {
    /// Completion handlers and publishers.
    case asFound = "1"

    /// Async functions beside them, which call them.
    case asyncBeside = "2"

    #if CONTACTS_WITH_MACROS
    /// The same, written by macros.
    case macros = "2b"
    #endif

    /// Publishers of what the async functions return.
    case asyncPublishers = "3"

    /// Completion handlers that may be called on any thread, as Swift 6 wants to know.
    case sendableHandlers = "4"

    /// The same API, turned around: async functions do the work, and completion handlers call them.
    case asyncCore = "5"

    /// All clients await.
    case callersMoved = "6"

    /// Nothing but async functions.
    case callbacksRemoved = "7"

    /// Makes the program of this step.
    ///
    /// - Parameters:
    ///   - database: Where the contacts are.
    ///   - callbackQueue: Where completion handlers are called.
    /// - Returns: The program.
    public func program(database: DatabasePool, callbackQueue: DispatchQueue) -> any ContactsProgram {
        switch self {
        case .asFound: AsFound(database, callbackQueue)
        case .asyncBeside: AsyncBeside(database, callbackQueue)
        #if CONTACTS_WITH_MACROS
        case .macros: Macros(database, callbackQueue)
        #endif
        case .asyncPublishers: AsyncPublishers(database, callbackQueue)
        case .sendableHandlers: SendableHandlers(database, callbackQueue)
        case .asyncCore: AsyncCore(database, callbackQueue)
        case .callersMoved: CallersMoved(database, callbackQueue)
        case .callbacksRemoved: CallbacksRemoved(database)
        }
    }

    /// Tells whether cancelling a task stops its query, and not only the wait for it.
    public var stopsQueries: Bool { [.asyncCore, .callersMoved, .callbacksRemoved].contains(self) }
}
