// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
public import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// How a bridge is to behave, as its user has said.
@usableFromInline
struct BridgeTraits {
    let lingering: TimeAmount
    private let kind: BridgedChannelKind?
    private let made: CallSite

    @usableFromInline
    init(lingering: TimeAmount, kind: BridgedChannelKind?, fileID: StaticString, line: UInt) {
        self.lingering = lingering
        self.kind = kind
        self.made = CallSite(fileID: fileID, line: line)
    }

    /// What the channel carries; asked only when something has failed, because it is a call of the system.
    func kind(of channel: any Channel) -> BridgedChannelKind {
        if let kind = self.kind { return kind }
        guard let socket = channel as? any SocketOptionProvider else { return .stream }
        var kind = BridgedChannelKind.stream
        let type: EventLoopFuture<CInt> = socket.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_TYPE)
        )
        // On the loop it is there at once.
        type.assumeIsolated().whenSuccess { if $0 == Self.datagramSocket { kind = .datagrams } }
        return kind
    }

    private static var datagramSocket: CInt {
        #if canImport(Glibc)
        CInt(SOCK_DGRAM.rawValue)
        #else
        CInt(SOCK_DGRAM)
        #endif
    }

    /// The bridge was added to an active channel, and not in an event of its pipeline.
    func reportLate() {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .addedLate,
                bridge: "bridge(inbound:outbound:)",
                made: self.made,
                advice: """
                    The channel was active and being read already: what came before is lost, and so is the end of its \
                    input. Call it in the channel's initializer, or in an event of a handler, or turn the channel's \
                    option autoRead off before.
                    """
            )
        )
    }
}
#endif
