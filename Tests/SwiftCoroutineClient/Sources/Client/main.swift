// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A program for SwiftCoroutine 2.1, of which nothing was changed but the import, and what stands
// under `#if swift(>=6)`. It uses every line of that library's API.

checkCoroutines()
checkSchedulers()
checkFutures()
checkPromises()
checkErrors()
checkChannels()
checkHalves()
checkScopes()
checkCaptures()
checkFunctions()
checkChanges()

print("SwiftCoroutine's API is there, and does what it did")
