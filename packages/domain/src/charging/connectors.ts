/**
 * Connectors have one number in this product. OCPP 1.6 numbers all connectors of a device. OCPP 2.0.1 numbers EVSEs,
 * and the connectors of each EVSE. Connector 1 of EVSE n has number n, because most EVSEs have one connector. The other
 * connectors follow in ranges of 256. 0 is the station itself.
 */
export const EVSES = 256;

/** The largest stored number (a `smallint`). */
export const MOST_CONNECTOR = 32_767;

/** A connector as OCPP 2.0.1 names it. */
export interface EvseConnector {
  evse: number;
  connector: number;
}

/**
 * The number of a connector of an EVSE. EVSE 0 is the station itself. A missing connector is the first one. Null for
 * numbers that no station has: EVSEs are 1 to 256, connectors 1 to 127.
 */
export function connectorNumber(evse: number, connector = 1): number | null {
  if (evse === 0) return 0;
  if (!Number.isInteger(evse) || evse < 1 || evse > EVSES) return null;
  // Some stations use 0 for the only connector of an EVSE.
  const nth = connector === 0 ? 1 : connector;
  if (!Number.isInteger(nth) || nth < 1) return null;
  const number = evse + EVSES * (nth - 1);
  return number <= MOST_CONNECTOR ? number : null;
}

/** EVSE and connector of a number; null for the station itself. */
export function evseConnector(number: number): EvseConnector | null {
  if (number === 0) return null;
  return { evse: ((number - 1) % EVSES) + 1, connector: Math.floor((number - 1) / EVSES) + 1 };
}

/** The prefixes of the MQTT protocols: `mqtt3.1.1`, `mqtt-json`, `sparkplug-b`. */
const OVER_MQTT = /^(mqtt|sparkplug)/;

/** True for an MQTT protocol, which storage units use. Null if the protocol is unknown. */
export function isOverMqtt(protocol: string | null): boolean {
  return protocol !== null && OVER_MQTT.test(protocol);
}

/** The protocols of a device model. OCPP 2.0.1 and 2.1 name their variables alike. */
export const MODEL_PROTOCOLS = ['ocpp16', 'ocpp2', 'mqtt'] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

/** False if a device uses a protocol that its model does not support. Null on either side means unknown. */
export function protocolFits(model: ModelProtocol | null, deviceProtocol: string | null): boolean {
  if (model === null || deviceProtocol === null) return true;
  if (model === 'mqtt') return isOverMqtt(deviceProtocol);
  return model === 'ocpp16' ? deviceProtocol === 'ocpp1.6' : deviceProtocol.startsWith('ocpp2');
}

/** The maximum number of connectors if the model does not define it. No known device has more. */
export const MAX_CONNECTORS = 128;

/**
 * The first connector in a report that exceeds the number of connectors. 0, the device itself, does not count. Null if
 * there is none.
 */
export function excessConnector(known: ReadonlySet<number>, reported: Iterable<number>, limit: number): number | null {
  const fresh = new Set<number>();
  for (const connector of reported) {
    if (connector === 0 || known.has(connector) || fresh.has(connector)) continue;
    if (known.size + fresh.size >= limit) return connector;
    fresh.add(connector);
  }
  return null;
}

/**
 * How a connector is named: the device itself, a connector by its number, a unit of a storage unit, or EVSE and
 * connector.
 */
export type ConnectorLabel =
  | { kind: 'station' }
  | { kind: 'number' | 'unit'; number: number }
  | ({ kind: 'evse' } & EvseConnector);

/** The subprotocols whose devices number EVSEs, and connectors within them. */
const NUMBERS_EVSES: ReadonlySet<string | null> = new Set(['ocpp2.0.1', 'ocpp2.1']);

/**
 * How a connector is named for a `protocol` (the subprotocol of the connection; null if unknown): as EVSE and connector
 * with OCPP 2, and for numbers that only OCPP 2 uses. MQTT devices have units instead of connectors.
 */
export function connectorLabel(number: number, protocol: string | null): ConnectorLabel {
  const place = evseConnector(number);
  if (!place) return { kind: 'station' };
  if (NUMBERS_EVSES.has(protocol) || place.connector > 1) return { kind: 'evse', ...place };
  return { kind: isOverMqtt(protocol) ? 'unit' : 'number', number };
}

/** A connector in a spreadsheet cell: its number, or `EVSE 1 · 2` for devices that number EVSEs. */
export function connectorCell(number: number, protocol: string | null): number | string {
  const label = connectorLabel(number, protocol);
  return label.kind === 'evse' ? `EVSE ${label.evse} · ${label.connector}` : number;
}
