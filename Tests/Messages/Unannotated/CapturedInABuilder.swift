// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The builder of a sequence uses an object of the library.
//
// warning: add '@preconcurrency' to treat 'Sendable'-related errors from module 'UnannotatedLibrary' as warnings
// error: capture of 'receiver' with non-Sendable type 'Receiver' in a '@Sendable' closure
// error: capture of 'watch' with non-Sendable type 'Receiver.Watch' in a '@Sendable' closure

import AsyncBridge
import UnannotatedLibrary  // <-

func mistake(_ receiver: Receiver) -> CallbackSequence<Double, any Error> {
    CallbackSequence { sink in
        let watch = receiver.watch(onFix: sink.handler { $0.latitude }, onError: sink.errorHandler())  // <-
        return { watch.stop() }  // <-
    }
}
