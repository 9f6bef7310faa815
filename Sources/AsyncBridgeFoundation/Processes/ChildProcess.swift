// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
import CProcesses
package import Dispatch
import Foundation

/// A child of this program, as the system sees it.
package struct ChildProcess: Sendable {
    /// What the system tells of it.
    package enum State: Equatable {
        case running
        case ended(ProcessEnd)
        /// Foundation has reaped it, and knows how it ended.
        case reaped
    }

    private let number: Int32
    private let descriptor: Int32?

    /// - Parameter number: The number of the child, which was not reaped when Foundation started it.
    package init(_ number: Int32) {
        self.number = number
        let descriptor = cprocesses_open(number)
        self.descriptor = descriptor < 0 ? nil : Descriptors.moveAway(descriptor)
    }

    /// A child on a system that has no descriptors of processes.
    package init(withoutDescriptor number: Int32) {
        self.number = number
        self.descriptor = nil
    }

    /// Looks at it, and leaves it to be reaped.
    package func look() -> State {
        var status: Int32 = 0
        // Safe: the variable outlives the call.
        return switch unsafe cprocesses_look(self.number, self.descriptor ?? -1, &status) {
        case .running: .running
        case .exited: .ended(ProcessEnd(reason: .exit, status: status))
        case .signalled: .ended(ProcessEnd(reason: .uncaughtSignal, status: status))
        case .reaped: .reaped
        }
    }

    /// Calls a function when it may have ended, until that has answered `false`.
    ///
    /// Where the system has no descriptors of processes, that is twenty times a second.
    ///
    /// Either way Dispatch calls it. It has threads for a serial queue besides those that blocks of its global queues
    /// keep. If a program keeps all of them, the end is seen later, and that is all: the process is left to be looked
    /// at, and nothing is measured from its end.
    ///
    /// - Parameters:
    ///   - queue: Where the function is called.
    ///   - goesOn: Looks at it, and tells whether to call again.
    package func watch(on queue: DispatchQueue, _ goesOn: @escaping @Sendable () -> Bool) {
        let source: any DispatchSourceProtocol
        if let descriptor = self.descriptor {
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setCancelHandler { close(descriptor) }
        } else {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(50), leeway: .milliseconds(10))
            source = timer
        }
        let pausable = PausableSource(source)
        // The source holds its handler, and the handler the source, until it is cancelled.
        source.setEventHandler { if !goesOn() { pausable.cancel() } }
        pausable.activate()
    }
}
#endif
