// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Dispatch
import OpenCombineShim

extension DispatchQueue {
    /// The queue as Combine's scheduler: on Apple's systems it is one itself.
    var scheduler: some Scheduler {
        #if canImport(Combine)
        self
        #else
        self.ocombine
        #endif
    }
}
#endif
