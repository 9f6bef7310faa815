// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// How tests begin while a script of this package builds and runs them (`without_index` in Scripts/support.bash). With
// this file SwiftPM does not look for tests in the index, which takes a quarter of a debug build. All tests are Swift
// Testing's, which finds them by itself. Where the file is, `swift test` alone runs nothing: a script that was killed
// may have left it, and it can be deleted.

import Testing

@main struct Runner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
