// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if compiler(<6.3)
/// Stands for the attribute of Swift 6.3 (SE-0487), and does nothing: with Swift 6.2 the enumerations are closed.
///
/// The macro that implements it is in each toolchain, and expands to nothing.
@attached(peer)
package macro nonexhaustive() = #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")
#endif
