/** The name of a protocol version as its specification writes it: `ocpp2.0.1` is OCPP 2.0.1. Others stay as they are. */
export function protocolName(protocol: string): string {
  return protocol.replace(/^ocpp(?=\d)/, 'OCPP ');
}
