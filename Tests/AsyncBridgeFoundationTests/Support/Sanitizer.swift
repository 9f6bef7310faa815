// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

enum Sanitizer {
    /// Whether a sanitizer runs, which keeps freed memory.
    static var isOn: Bool {
        let program = dlopen(nil, RTLD_NOW)
        return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }
}
