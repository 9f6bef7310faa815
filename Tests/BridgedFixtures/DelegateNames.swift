// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

/// A type that is called like the enum that a delegate gets.
struct Event: Sendable {
    var number: Int
}

final class Session: Sendable {}

protocol SessionDelegate: AnyObject {
    func session(_ session: Session, didGet event: Event)
}

@DelegateEvents
final class SessionProxy: SessionDelegate, Sendable {
    func session(_ session: Session, didGet event: Event)

    #if SWIFT_PACKAGE
    func session(_ session: Session, task: Int, didFinish status: Int)
    #elseif DEBUG
    func session(_ session: Session, task: Int, didFinish status: String)
    #else
    func session(_ session: Session, task: Int, didFinish status: Double)
    #endif
}

/// As many names as a delegate may have.
@DelegateEvents
final class NamedEvents: Sendable {
    func session(_ session: Session, task: Int, didReceive challenge: Int)
    func session(_ session: Session, didReceive challenge: Int)
    func session(_ session: Session, task: Int, didReceive data: String)
    func session(_ session: Session, task: Int, didEnd error: (any Error)?)
    func session(_ session: Session, didMove place: Int)
    func session(_ session: Session, didMove place: Int, from other: Int)
    func sessionDidWait(_ session: Session, for count: Int)
    func session(_ session: Session, taskIsLate task: Int)
    func session(_ session: Session, default value: Int)
    func session(_ session: Session, self value: Int, in place: Int, `inout` other: Int)
    func session(_ session: Session, init value: Int)
    func sessionDidTurn(_ session: Session, `self` value: Int)
    func `default`(_ value: Int)

    @DelegateReply
    func didStop()

    @DelegateReply
    func sessionDidOpen(_ session: Session)
}

enum DelegateNames {
    static func results() async throws -> [String] {
        let session = Session()
        var results: [String] = []
        let events = SessionProxy().events { proxy in
            proxy?.session(session, didGet: Event(number: 1))
            #if SWIFT_PACKAGE
            proxy?.session(session, task: 2, didFinish: 3)
            #endif
        }
        for await event in events {
            switch event {
            case .didGet(let event): results.append("\(event.number)")
            case .didFinish(task: let task, let status): results.append("\(task) \(status)")
            }
            if results.count == 2 { break }
        }
        let proxy = NamedEvents()
        try await proxy.didStopReply.wait({ proxy.didStop() })
        try await proxy.didOpen.wait({ proxy.sessionDidOpen(session) })
        for await event in proxy.events(attach: { $0?.session(session, self: 4, in: 5, `inout`: 6) }) {
            if case .selfValue(let value, in: _, `inout`: let other) = event { results.append("\(value) \(other)") }
            break
        }
        return results
    }

    static func name(_ event: NamedEvents.Event) -> String {
        switch event {
        case .taskDidReceiveChallenge(task: _, _): "challenge"
        case .didReceiveChallenge: "challenge of the session"
        case .didReceiveData(task: _, let data): data
        case .didEnd(task: _, let error): "\(String(describing: error))"
        case .didMove(let place), .didMoveFrom(let place, from: _): "\(place)"
        case .didWait(for: let count): "\(count)"
        case .taskIsLate, .defaultValue, .selfValue, .initValue, .didTurn, .default: "other"
        }
    }
}
#endif
