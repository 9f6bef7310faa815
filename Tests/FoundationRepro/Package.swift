// swift-tools-version: 6.3

import PackageDescription

// Foundation alone, without this package: what goes wrong here is not ours.
let package = Package(
    name: "FoundationRepro",
    targets: [.executableTarget(name: "Repro")],
    swiftLanguageModes: [.v6]
)
