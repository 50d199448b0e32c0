/**
 * Where gateways count what goes over the connections of devices: bytes of frames as they stand in the protocol (for
 * OCPP the JSON texts), without what WebSocket, TLS and TCP put around them. Cheap, never awaited.
 */
export interface TrafficMeter {
  received(deviceId: number, bytes: number): void;
  sent(deviceId: number, bytes: number): void;
  /** The connection of a device ended: what was counted is stored soon. */
  ended(deviceId: number): void;
}
