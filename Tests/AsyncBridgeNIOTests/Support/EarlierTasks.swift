// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Waits until the tasks have begun that were started before.
///
/// Swift's pool takes tasks of one priority in their order. On a busy machine this waits for a few turns, and not for
/// hundreds.
func earlierTasksHaveBegun() async { for _ in 0..<4 { await Task {}.value } }
