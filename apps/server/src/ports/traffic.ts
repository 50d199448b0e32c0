/**
 * Where gateways count the traffic of devices: bytes of frames in the protocol (for OCPP the JSON texts), without the
 * overhead of WebSocket, TLS and TCP. Cheap, never awaited.
 */
export interface TrafficMeter {
  received(deviceId: number, bytes: number): void;
  sent(deviceId: number, bytes: number): void;
  /** The connection of a device ended, so its traffic is stored soon. */
  ended(deviceId: number): void;
}
