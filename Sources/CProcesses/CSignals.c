// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#include "CProcesses.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_default(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

int cprocesses_ignore_by_default(int number) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0) return -1;
    // Nothing happens by default, and a process that ignores it cannot wait for its children.
    if (number == SIGCHLD) return 0;
    if (!is_default(&current)) return 0;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    struct sigaction previous;
    if (sigaction(number, &ignore, &previous) != 0) return -1;
    // Another thread, such as Dispatch's, has installed a handler meanwhile.
    if (!is_default(&previous)) sigaction(number, &previous, NULL);
    return 0;
}
