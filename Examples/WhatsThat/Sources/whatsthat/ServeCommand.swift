// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import Foundation
import Logging
import PictureDecoding
import ServiceLifecycle
import UnixSignals
import WhatsThatServer

/// Serves the page.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a page, to this machine alone, on which a picture is chosen or dropped.",
        discussion: "Ctrl-C and SIGTERM end it, with 0, and the runs of the model with it."
    )

    @Option(help: "The port; 0 is any free one, which its first line names.")
    var port: UInt16 = 8080

    @Option(help: "How many pictures are classified at once; by default as many as there are processors.")
    var running: Int?

    @Option(help: "How many more may wait; the next ones are refused.")
    var waiting = 64

    @Option(help: "The largest file that is taken, in megabytes.")
    var uploadLimit = 16

    @OptionGroup var model: ModelOptions

    func validate() throws {
        // Each run has a thread, and each upload that waits has memory.
        if let running, !(1...256).contains(running) { throw ValidationError("--running takes 1 to 256.") }
        if !(0...10_000).contains(self.waiting) { throw ValidationError("--waiting takes 0 to 10000.") }
        if !(1...1024).contains(self.uploadLimit) { throw ValidationError("--upload-limit takes 1 to 1024.") }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        var configuration = ClassificationServer.Configuration()
        configuration.port = Int(self.port)
        configuration.running = self.running ?? configuration.running
        configuration.waiting = self.waiting
        configuration.uploadLimit = self.uploadLimit << 20
        configuration.knowledge = self.model.knowledge
        configuration.logger = Logger(label: "whatsthat") { StreamLogHandler.standardError(label: $0) }
        configuration.logger.logLevel = .error
        try await reportFailures {
            let limits = PictureLimits(bytes: configuration.uploadLimit)
            let server = ClassificationServer(
                configuration: configuration,
                classifier: try self.model.service(limits: limits, running: configuration.running)
            ) { address in
                // If nobody reads it, there is still the port.
                try? StandardOutput.write(line: "Open \(address.url) in a browser; Ctrl-C ends it.")
            }
            do {
                try await self.serve(server)
            } catch {
                complain("Port \(configuration.port) cannot be used: \(error). Name another with --port.")
                throw ExitCode.failure
            }
        }
    }

    private func serve(_ server: ClassificationServer) async throws {
        var settings = ServiceGroupConfiguration(
            services: [server],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        )
        // For clients that do not read their answers.
        settings.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: settings).run()
    }
}
