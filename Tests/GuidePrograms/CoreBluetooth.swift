// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Core Bluetooth".

// snippet.CENTRAL
import AsyncBridge
import CoreBluetooth

struct BluetoothUnavailable: Error {
    let state: CBManagerState
}

@MainActor
final class Central: NSObject, @MainActor CBCentralManagerDelegate {
    private lazy var manager = CBCentralManager(delegate: self, queue: .main)
    private let power = ReplySlot<CBManagerState>(overlap: .share)
    private let discovery = ReplySlot<UUID>(overlap: .queue)
    private var wanted: CBUUID?
    private var connections: [UUID: ReplySlot<Void>] = [:]
    private var peripherals: [UUID: CBPeripheral] = [:]
    /// Those who are told that a device is gone.
    var onDisconnect: [UUID: [((any Error)?) -> Void]] = [:]

    func isReady() async throws {
        var state = self.manager.state
        // Not known yet: the next call says it.
        if state == .unknown || state == .resetting {
            state = try await self.power.wait(keepingAlive: self, timeout: .seconds(5))
        }
        guard state == .poweredOn else { throw BluetoothUnavailable(state: state) }
    }

    func firstPeripheral(with service: CBUUID) async throws -> CBPeripheral? {
        try await self.isReady()
        let id = try await self.discovery.wait(keepingAlive: self, timeout: .seconds(10)) {
            self.wanted = service
            self.manager.scanForPeripherals(withServices: [service])
        } onCancel: {
            self.manager.stopScan()
        }
        return self.peripherals[id]
    }

    func connect(to peripheral: CBPeripheral) async throws {
        let reply = self.connections[peripheral.identifier] ?? ReplySlot(overlap: .share)
        self.connections[peripheral.identifier] = reply
        try await reply.wait(keepingAlive: self, timeout: .seconds(10)) {
            self.manager.connect(peripheral)
        } onCancel: {
            self.manager.cancelPeripheralConnection(peripheral)
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state != .unknown, central.state != .resetting else { return }
        self.power.resume(returning: central.state)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        // Not what an earlier caller's scan has found.
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        guard let wanted, services.contains(wanted) else { return }
        central.stopScan()
        // Core Bluetooth does not keep it; and only what is Sendable is a reply.
        self.peripherals[peripheral.identifier] = peripheral
        self.discovery.resume(returning: peripheral.identifier)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        self.connections[peripheral.identifier]?.resume(returning: ())
    }

    func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        self.connections[peripheral.identifier]?.resume(throwing: error ?? BluetoothUnavailable(state: central.state))
    }

    func disconnect(_ peripheral: CBPeripheral) { self.manager.cancelPeripheralConnection(peripheral) }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        for end in self.onDisconnect.removeValue(forKey: peripheral.identifier) ?? [] { end(error) }
    }
}
// snippet.end

// snippet.VALUES
struct NoHeartRate: Error {}

@MainActor
final class HeartRate: NSObject, @MainActor CBPeripheralDelegate {
    let values: CallbackSequence<Data, any Error>
    private let sink: CallbackSequence<Data, any Error>.Sink
    private let heartRate = CBUUID(string: "180D")
    private let measurement = CBUUID(string: "2A37")

    init(_ peripheral: CBPeripheral, of central: Central) {
        (self.values, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 16))
        super.init()
        central.onDisconnect[peripheral.identifier, default: []].append { [weak self] in self?.end($0) }
        peripheral.delegate = self
        peripheral.discoverServices([self.heartRate])
    }

    private func end(_ error: (any Error)?) {
        if let error { self.sink.fail(error) } else { self.sink.finish() }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        // It holds every service found so far, also those that other code looked for.
        guard let service = peripheral.services?.first(where: { $0.uuid == self.heartRate }) else {
            return self.end(error ?? NoHeartRate())
        }
        peripheral.discoverCharacteristics([self.measurement], for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        guard let characteristic = service.characteristics?.first(where: { $0.uuid == self.measurement }) else {
            return self.end(error ?? NoHeartRate())
        }
        peripheral.setNotifyValue(true, for: characteristic)
        // Not `self`: who leaves the loop may have released it when this runs.
        // Safe: used on the main actor only.
        nonisolated(unsafe) let source = (peripheral, characteristic)
        self.sink.onTermination { _ in Task { @MainActor in source.0.setNotifyValue(false, for: source.1) } }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { self.sink.fail(error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // Those of other characteristics come here, too.
        guard characteristic.uuid == self.measurement else { return }
        if let error { return self.sink.fail(error) }
        if let value = characteristic.value { self.sink.yield(value) }
    }
}
// snippet.end

// snippet.QUEUE
nonisolated final class Scanner: NSObject, CBCentralManagerDelegate, Sendable {
    let names: CallbackSequence<String, Never>
    private let sink: CallbackSequence<String, Never>.Sink

    override init() {
        (self.names, self.sink) = CallbackSequence.makeSequence(buffering: .newest(capacity: 16))
        super.init()
        let queue = DispatchQueue(label: "scanner")
        // Safe: used on its queue only.
        nonisolated(unsafe) let manager = CBCentralManager(delegate: self, queue: queue)
        self.sink.onTermination { _ in queue.async { manager.stopScan() } }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        // What is not Sendable stays here.
        if let name = peripheral.name { self.sink.yield(name) }
    }
}
// snippet.end

let heart = CBUUID(string: "180D")
let temperature = CBUUID(string: "1809")
let nothing = CBUUID(string: "FFFF")

@MainActor
func name(_ central: Central, _ service: CBUUID) async throws -> String {
    try await central.firstPeripheral(with: service)?.name ?? ""
}

/// What the teardown has started runs meanwhile.
@MainActor
func settle() async { for _ in 1...20 { await Task.yield() } }

/// Leaves its loop, and releases what it has made.
@MainActor
func watch(_ central: Central, _ sensor: CBPeripheral) async throws {
    let heartRate = HeartRate(sensor, of: central)
    var number = 0
    for try await value in heartRate.values {
        print("\(value[1]) beats a minute")
        number += 1
        if number == 3 { break }
    }
}

@MainActor
func run() async throws {
    let central = Central()
    // So that the two come in order.
    try await central.isReady()
    print("two look for different devices:")
    let both = [heart, temperature].map { service in Task { try await name(central, service) } }
    _ = try await both[1].value
    for finder in both { print("found: \(try await finder.value)") }

    print("the first of two is cancelled:")
    let vain = Task { try await name(central, nothing) }
    await settle()
    let second = Task { try await name(central, temperature) }
    await settle()
    vain.cancel()
    let found = try await second.value
    do { print(try await vain.value) } catch { print(error) }
    print("found: \(found)")

    guard let sensor = try await central.firstPeripheral(with: heart) else { return }
    try await central.connect(to: sensor)
    // Another part of the program has asked for the battery.
    sensor.discoverServices([CBUUID(string: "180F")])
    await settle()
    print("connected to \(sensor.name ?? "")")
    try await watch(central, sensor)
    await settle()
    print("does the sensor send? \(sensor.isNotifying)")

    let heartRate = HeartRate(sensor, of: central)
    for try await _ in heartRate.values { central.disconnect(sensor) }
    await settle()
    print("disconnected: the loop has ended")

    let heartRates = [HeartRate(sensor, of: central), HeartRate(sensor, of: central)]
    let loops = heartRates.map { heartRate in Task { for try await _ in heartRate.values {} } }
    await settle()
    central.disconnect(sensor)
    for loop in loops { try await loop.value }
    print("of two objects: both loops have ended")

    print("on a queue of its own:")
    let scanner = Scanner()
    for await name in scanner.names {
        print(name)
        if name == "thermometer" { break }
    }
    withExtendedLifetime(scanner) {}
    while CBCentralManager.scanning > 0 { await Task.yield() }
}

/// Asks twice with the given states of a new manager.
@MainActor
func ready(_ states: CBManagerState...) async {
    CBCentralManager.states = states
    let central = Central()
    for _ in 1...2 {
        do {
            try await central.isReady()
            print("ready")
        } catch {
            print(error)
        }
    }
}
print("the radio is off:")
await ready(.poweredOff)
print("it is being reset:")
await ready(.resetting, .poweredOn)

CBCentralManager.states = [.poweredOn]
try await run()
