// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CProcesses.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// As the kernel numbers them on all processors: the headers of older systems have no names for them.
#define PIDFD_OPEN 434
#define PIDFD_KIND 3

int cprocesses_open(int process) {
    return (int)syscall(PIDFD_OPEN, process, 0);
}

enum cprocesses_state cprocesses_look(int process, int descriptor, int *status) {
    siginfo_t info = {0};
    // Without reaping it, which is Foundation's to do.
    int options = WEXITED | WNOHANG | WNOWAIT;
    int result = -1;
    errno = EINVAL;
    if (descriptor >= 0) result = waitid((idtype_t)PIDFD_KIND, (id_t)descriptor, &info, options);
    // Linux 5.3 opens such descriptors, and does not wait for them yet.
    if (result < 0 && errno == EINVAL) result = waitid(P_PID, (id_t)process, &info, options);
    if (result < 0) return cprocesses_reaped;
    if (info.si_pid == 0) return cprocesses_running;
    *status = info.si_status;
    return info.si_code == CLD_EXITED ? cprocesses_exited : cprocesses_signalled;
}

#else

int cprocesses_open(int process) {
    (void)process;
    errno = ENOSYS;
    return -1;
}

enum cprocesses_state cprocesses_look(int process, int descriptor, int *status) {
    (void)process;
    (void)descriptor;
    (void)status;
    return cprocesses_reaped;
}

#endif
