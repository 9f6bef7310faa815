// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "I use Core Bluetooth".

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
    private let discovery = ReplySlot<UUID>(overlap: .share)
    private var connections: [UUID: ReplySlot<Void>] = [:]
    private var peripherals: [UUID: CBPeripheral] = [:]

    func isReady() async throws {
        var state = self.manager.state
        if state != .poweredOn { state = try await self.power.wait(keepingAlive: self, timeout: .seconds(5)) }
        guard state == .poweredOn else { throw BluetoothUnavailable(state: state) }
    }

    func firstPeripheral(with service: CBUUID) async throws -> CBPeripheral? {
        try await self.isReady()
        defer { self.manager.stopScan() }
        let id = try await self.discovery.wait(keepingAlive: self, timeout: .seconds(10)) {
            self.manager.scanForPeripherals(withServices: [service])
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
        if central.state != .unknown { self.power.resume(returning: central.state) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
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
}
// snippet.end

// snippet.VALUES
@MainActor
final class HeartRate: NSObject, @MainActor CBPeripheralDelegate {
    let values: CallbackSequence<Data, any Error>
    private let sink: CallbackSequence<Data, any Error>.Sink
    private let peripheral: CBPeripheral
    private let characteristic: CBCharacteristic

    init(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic) {
        self.peripheral = peripheral
        self.characteristic = characteristic
        (self.values, self.sink) = CallbackSequence.makeSequence(buffering: .bounded(16, whenFull: .dropOldest))
        super.init()
        self.sink.onTermination { [weak self] _ in
            Task { @MainActor in self?.stop() }
        }
        peripheral.delegate = self
        peripheral.setNotifyValue(true, for: characteristic)
    }

    private func stop() { self.peripheral.setNotifyValue(false, for: self.characteristic) }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return self.sink.fail(error) }
        if let value = characteristic.value { self.sink.yield(value) }
    }
}
// snippet.end

@MainActor
func run() async throws -> HeartRate? {
    let central = Central()
    guard let sensor = try await central.firstPeripheral(with: CBUUID(string: "180D")) else { return nil }
    try await central.connect(to: sensor)
    print("connected to \(sensor.name ?? "")")
    let heartRate = HeartRate(sensor, CBCharacteristic())
    var number = 0
    for try await value in heartRate.values {
        print("\(value[1]) beats a minute")
        number += 1
        if number == 3 { break }
    }
    return heartRate
}

let heartRate = try await run()
// So that what the teardown has started is seen.
for _ in 1...10 { await Task.yield() }
