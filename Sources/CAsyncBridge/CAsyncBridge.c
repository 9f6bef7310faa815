// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CAsyncBridge.h"

const casyncbridge_engine *casyncbridge_linked_engine = NULL;

void *casyncbridge_current_waiter(void) {
    return casyncbridge_linked_engine ? casyncbridge_linked_engine->waiter() : NULL;
}
