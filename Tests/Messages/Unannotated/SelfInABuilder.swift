// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The builder of a sequence uses an object of your own class, which is not Sendable.
//
// error: capture of 'self' with non-Sendable type 'Positions' in a '@Sendable' closure

import AsyncBridge
@preconcurrency import UnannotatedLibrary

final class Positions {
    private let receiver = Receiver()

    func mistake() -> CallbackSequence<Double, any Error> {
        CallbackSequence { sink in
            let watch = self.receiver.watch(onFix: sink.handler { $0.latitude }, onError: sink.errorHandler())  // <-
            return { watch.stop() }
        }
    }
}
