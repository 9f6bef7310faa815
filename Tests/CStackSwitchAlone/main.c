// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Runs the C checks of CStackSwitch without Swift. Built by Scripts/test-aarch64.

#include "CStackSwitchTestSupport.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// Whether the violation aborts a process of its own, with its message.
static bool aborts(const cstacktest_violation *violation) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        violation->run();
        _exit(0);
    }
    close(ends[1]);
    char message[512] = {0};
    for (size_t length = 0; length < sizeof message - 1;) {
        ssize_t more = read(ends[0], message + length, sizeof message - 1 - length);
        if (more <= 0) break;
        length += (size_t)more;
    }
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(message, violation->message);
}

/// Runs a check in a process of its own. Returns null if it holds, otherwise what happened.
static const char *run_alone(const cstacktest_check *check) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return "there is no process for it";
    if (child == 0) {
        const char *failure = check->run();
        if (failure) fprintf(stderr, "%s\n", failure);
        _exit(failure ? 1 : 0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return "its process is lost";
    if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? NULL : "as said above";
}

int main(void) {
    int passed = 0, failed = 0;
    const cstacktest_check *check;
    for (size_t i = 0; (check = cstacktest_check_at(i)); i++) {
        const char *failure = check->is_alone ? run_alone(check) : check->run();
        failure ? failed++ : passed++;
        printf("%s %s%s%s\n", failure ? "FAILED" : "passed", check->name, failure ? ": " : "", failure ? failure : "");
    }
    const cstacktest_violation *violation;
    for (size_t i = 0; (violation = cstacktest_violation_at(i)); i++) {
        bool right = aborts(violation);
        right ? passed++ : failed++;
        printf("%s %s ends the process\n", right ? "passed" : "FAILED", violation->name);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
