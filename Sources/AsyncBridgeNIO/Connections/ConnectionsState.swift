// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// How the connections of a server end: every decision, and nothing else.
///
/// | State     | Meaning                             | `add`   | `endGracefully` | `closeAll` | last `removed` |
/// |-----------|-------------------------------------|---------|-----------------|------------|----------------|
/// | `serving` | connections come and go             | keeps   | `ending`        | `closing`  | nothing        |
/// | `ending`  | each was told to, and has some time | refuses | nothing         | `closing`  | `over`         |
/// | `closing` | each was closed                     | refuses | nothing         | nothing    | `over`         |
/// | `over`    | none is left                        | refuses | nothing         | nothing    | nothing        |
///
/// Both ends lead to `over` at once if there is no connection.
package struct ConnectionsState<Connection>: ~Copyable {
    private enum Phase {
        case serving
        case ending
        case closing
        case over
    }

    private var phase = Phase.serving
    private var connections: [ObjectIdentifier: Connection] = [:]

    package init() {}

    package var count: Int { self.connections.count }

    /// - Returns: Whether the connection may stay; otherwise it is to be closed.
    package mutating func add(_ connection: Connection, _ id: ObjectIdentifier) -> Bool {
        switch self.phase {
        case .serving:
            self.connections[id] = connection
            return true
        case .ending, .closing, .over:
            return false
        }
    }

    /// What the end asks for.
    package enum EndAction {
        case none
        /// Tell them to end.
        case tell([Connection])
        case close([Connection])
        /// None is left.
        case finish
    }

    package mutating func endGracefully() -> EndAction {
        switch self.phase {
        case .serving:
            guard !self.connections.isEmpty else { return self.finish() }
            self.phase = .ending
            return .tell(Array(self.connections.values))
        case .ending, .closing, .over:
            return .none
        }
    }

    package mutating func closeAll() -> EndAction {
        switch self.phase {
        case .serving, .ending:
            guard !self.connections.isEmpty else { return self.finish() }
            self.phase = .closing
            return .close(Array(self.connections.values))
        case .closing, .over:
            return .none
        }
    }

    /// A connection is closed.
    package mutating func removed(_ id: ObjectIdentifier) -> EndAction {
        self.connections[id] = nil
        switch self.phase {
        case .serving, .over: return .none
        case .ending, .closing: return self.connections.isEmpty ? self.finish() : .none
        }
    }

    private mutating func finish() -> EndAction {
        self.phase = .over
        return .finish
    }
}
#endif
