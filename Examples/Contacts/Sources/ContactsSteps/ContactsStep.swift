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

    /// The same API, turned around: async functions do the work, and the rest calls them.
    case asyncCore = "3"

    /// All clients await.
    case callersMoved = "4"

    /// Nothing but async functions.
    case callbacksRemoved = "5"

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
        case .asyncCore: AsyncCore(database, callbackQueue)
        case .callersMoved: CallersMoved(database, callbackQueue)
        case .callbacksRemoved: CallbacksRemoved(database)
        }
    }

    /// Tells whether cancelling a task stops its query, and not only the wait for it.
    public var stopsQueries: Bool { [.asyncCore, .callersMoved, .callbacksRemoved].contains(self) }
}
