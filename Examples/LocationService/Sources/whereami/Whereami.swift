// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import AsyncBridge
import CommandSupport
import Foundation
import GPSLocation
import LocationServices

/// The command: where this machine is.
@main
struct Whereami: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whereami",
        abstract: "Says where this machine is, from a receiver that gpsd reads.",
        discussion: """
            It asks once whether it may; --allow and --forbid answer in advance, and the answer is kept in the file
            whereami/permission of the settings' folder.

            It ends with 0; 1 if there is no position; 2 if it may not know; 64 if it was called wrongly; 130 after
            Ctrl-C and 143 after SIGTERM, if there was no position yet. These two end --follow with 0.
            """
    )

    @Flag(help: "Keeps printing, a line for each position, until Ctrl-C.")
    var follow = false

    @Flag(help: "Writes a JSON object for each position, on one line.")
    var json = false

    @Option(help: "The name or address of the machine on which gpsd runs.")
    var host = "127.0.0.1"

    @Option(help: "Its port.")
    var port: UInt16 = 2947

    @Option(help: "Seconds to wait for the position; without it, forever.")
    var timeout: Double?

    @Option(help: "Ends --follow after this many positions.")
    var count: Int?

    @Flag(help: "Allows reading the position from now on, and prints it.")
    var allow = false

    @Flag(help: "Forbids reading the position from now on, and prints nothing.")
    var forbid = false

    func validate() throws {
        if self.port == 0 { throw ValidationError("--port takes 1 to 65535.") }
        if let timeout, !(0.001...31_536_000).contains(timeout) {
            throw ValidationError("--timeout takes 0.001 to 31536000 seconds.")
        }
        if let count, count < 1 { throw ValidationError("--count takes 1 or more.") }
        if self.count != nil, !self.follow { throw ValidationError("--count needs --follow.") }
        if self.timeout != nil, self.follow {
            throw ValidationError("--timeout is for one position: not with --follow.")
        }
        if self.allow, self.forbid { throw ValidationError("Either --allow or --forbid.") }
    }

    @MainActor
    func run() async throws {
        let settings = PermissionFile()
        if self.allow { try settings.write(.authorizedWhenInUse) }
        if self.forbid { return try settings.write(.denied) }
        let manager = LocationManager(host: self.host, port: Int(self.port), permission: settings.permission())
        let service = LocationService(GPSLocationSource(manager))
        do {
            let isFollowing = self.follow
            try await untilInterrupted(status: { isFollowing ? 0 : $0.status }) { @MainActor in
                try await self.find(with: service)
            }
        } catch let interruption as SignalInterruption {
            if !self.follow { throw ExitCode(interruption.status) }
        } catch is ClosedOutput {
            // Nobody reads any more, so there is nothing to say.
        } catch let failure as OutputFailure {
            Printer.complain("\(failure)")
            throw ExitCode.failure
        } catch LocationError.denied {
            Printer.complain(
                "The position must not be read. Allow it with 'whereami --allow', or answer its question on a terminal."
            )
            throw ExitCode(2)
        } catch BridgeFault.timedOut {
            Printer.complain("No position in time. \(self.advice(manager.contact))")
            throw ExitCode.failure
        } catch let error as LocationManagerError {
            Printer.complain("\(error) \(self.advice(error))")
            throw ExitCode.failure
        }
    }

    /// What to do if there was no position in time.
    private func advice(_ contact: LocationManager.Contact) -> String {
        let place = "\(self.host) port \(self.port)"
        return switch contact {
        case .none: "There is no connection to \(place) yet. Check the name and the port, or wait longer."
        case .port: "What listens at \(place) has said nothing: it may be no gpsd."
        case .daemon:
            "gpsd reports of no receiver. Check that one is connected, and that gpsd reads it, for example with "
                + "'gpsd -n /dev/ttyUSB0'."
        case .receiver: "Check that the receiver has a view of the sky, or wait longer."
        }
    }

    private func advice(_ error: LocationManagerError) -> String {
        error.code == .network
            ? "Start it, for example with 'gpsd -n /dev/ttyUSB0', or name another with --host and --port."
            : "Check that a gpsd, version 3 or later, listens on that port."
    }

    @MainActor
    private func find(with service: LocationService<Location>) async throws {
        let printer = Printer(json: self.json)
        if self.follow {
            service.onInterruption = { error in Printer.complain("\(error) Waiting for a position.") }
            try await self.show(service.locations, printer)
        } else {
            try printer.show(try await service.requestLocation(timeout: self.timeout.map { .seconds($0) }))
        }
    }

    /// Not on the main actor: an output that nobody reads at this moment must not hold up the manager.
    @concurrent
    private func show(_ locations: CallbackSequence<Location, any Error>, _ printer: Printer) async throws {
        var shown = 0
        for try await location in locations {
            try printer.show(location)
            shown += 1
            if shown == self.count { return }
        }
    }
}
