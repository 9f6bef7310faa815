// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import Logging
import PictureDecoding
import ServiceLifecycle
import WhatsThatServer
import WhatsThatServices

/// Serves the page.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a page, to this machine alone, on which a picture is chosen or dropped.",
        discussion: "Ctrl-C ends it. It then has a second to tell the clients."
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
        if let running, running < 1 { throw ValidationError("--running takes 1 or more.") }
        if self.waiting < 0 { throw ValidationError("--waiting takes 0 or more.") }
        if !(1...1024).contains(self.uploadLimit) { throw ValidationError("--upload-limit takes 1 to 1024.") }
    }

    func run() async throws {
        var configuration = ClassificationServer.Configuration()
        configuration.port = Int(self.port)
        configuration.running = self.running ?? configuration.running
        configuration.waiting = self.waiting
        configuration.uploadLimit = self.uploadLimit << 20
        var logger = Logger(label: "whatsthat") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        configuration.logger = logger
        try await self.serve(configuration)
    }

    private func serve(_ configuration: ClassificationServer.Configuration) async throws {
        try await runCommand(endsWell: true) {
            let limits = PictureLimits(bytes: configuration.uploadLimit)
            let server = ClassificationServer(
                configuration: configuration,
                classifier: try self.model.service(limits: limits)
            ) { address in
                // Nobody may read it.
                try? StandardOutput.write(line: "Open \(address.url) in a browser; Ctrl-C ends it.")
            }
            do {
                try await server.run()
            } catch let error where !(error is CancellationError) {
                complain("Port \(configuration.port) cannot be used: \(error). Name another with --port.")
                throw ExitCode.failure
            }
        }
    }
}
