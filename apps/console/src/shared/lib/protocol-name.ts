/** The name of a protocol version as in its specification: `ocpp2.0.1` is OCPP 2.0.1, `mqtt3.1.1` is MQTT 3.1.1. Others are unchanged. */
export function protocolName(protocol: string): string {
  return protocol.replace(/^(ocpp|mqtt)(?=\d)/, (name) => `${name.toUpperCase()} `);
}
