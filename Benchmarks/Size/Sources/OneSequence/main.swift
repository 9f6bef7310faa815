// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

let (numbers, sink) = CallbackSequence<Int, Never>.makeSequence(buffering: .unbounded)
sink.yield(1)
sink.finish()
for await number in numbers { print(number) }
