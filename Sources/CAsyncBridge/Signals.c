// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CAsyncBridge.h"

#include <errno.h>
#include <signal.h>

int casyncbridge_handle_signal(int number, void (*handler)(int number)) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, NULL) == 0 ? 0 : errno;
}
