/**
 * Connectors have one number in the fleet. OCPP 1.6 numbers them through; OCPP 2.0.1 numbers EVSEs, and the connectors
 * of each. Connector 1 of EVSE n is number n, as most outlets have one connector only; the further ones of all EVSEs
 * follow in stretches of 256. 0 is the station itself.
 */
const EVSES = 256;

/** The largest number that is kept (a `smallint`). */
const MOST = 32_767;

/** A connector in the words of OCPP 2.0.1. */
export interface EvseConnector {
  evse: number;
  connector: number;
}

/**
 * The number of a connector of an EVSE; EVSE 0 is the station itself, and a connector that is not named the first one.
 * Null for numbers that no station has: EVSEs from 1 to 256, connectors from 1 to 127.
 */
export function connectorNumber(evse: number, connector = 1): number | null {
  if (evse === 0) return 0;
  if (!Number.isInteger(evse) || evse < 1 || evse > EVSES) return null;
  // Some stations number the only connector of an EVSE 0.
  const nth = connector === 0 ? 1 : connector;
  if (!Number.isInteger(nth) || nth < 1) return null;
  const number = evse + EVSES * (nth - 1);
  return number <= MOST ? number : null;
}

/** EVSE and connector behind a number; null for the station itself. */
export function evseConnector(number: number): EvseConnector | null {
  if (number === 0) return null;
  return { evse: ((number - 1) % EVSES) + 1, connector: Math.floor((number - 1) / EVSES) + 1 };
}

/** How the protocols of connections over MQTT begin, as gateways name them: `mqtt3.1.1`, `mqtt-json`, `sparkplug-b`. */
const OVER_MQTT = /^(mqtt|sparkplug)/;

/** True for the protocol of a connection over MQTT, which storage units speak; null is not known. */
export function isOverMqtt(protocol: string | null): boolean {
  return protocol !== null && OVER_MQTT.test(protocol);
}

/** What devices of a model may speak; OCPP 2.0.1 and 2.1 name their variables alike. */
export const MODEL_PROTOCOLS = ['ocpp16', 'ocpp2', 'mqtt'] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

/** True unless a device speaks what its model is not made for; null on either side is not known. */
export function protocolFits(model: ModelProtocol | null, spoken: string | null): boolean {
  if (model === null || spoken === null) return true;
  if (model === 'mqtt') return isOverMqtt(spoken);
  return model === 'ocpp16' ? spoken === 'ocpp1.6' : spoken.startsWith('ocpp2');
}

/** So many connectors a device may have where its model does not say how many; no known one has more. */
export const MAX_CONNECTORS = 128;

/**
 * The first connector in a report that is one too many: not known of the device yet, while it has as many as it may. 0,
 * the device itself, does not count. Null when all of them may be.
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

/** What a connector is called: the device itself, an outlet by its number, a part of a storage unit, or EVSE and connector. */
export type ConnectorLabel =
  | { kind: 'station' }
  | { kind: 'number' | 'unit'; number: number }
  | ({ kind: 'evse' } & EvseConnector);

/** The subprotocols whose devices number EVSEs, and connectors within them. */
const NUMBERS_EVSES: ReadonlySet<string | null> = new Set(['ocpp2.0.1', 'ocpp2.1']);

/**
 * What a connector is called on a device that speaks `protocol` (the subprotocol of its connection; null when it is not
 * known): by EVSE and connector on OCPP 2, and wherever the number can only be such a one. What speaks over MQTT
 * has no outlets: its numbers are parts of it.
 */
export function connectorLabel(number: number, protocol: string | null): ConnectorLabel {
  const place = evseConnector(number);
  if (!place) return { kind: 'station' };
  if (NUMBERS_EVSES.has(protocol) || place.connector > 1) return { kind: 'evse', ...place };
  return { kind: isOverMqtt(protocol) ? 'unit' : 'number', number };
}

/** A connector in a cell of a sheet: its number, or `EVSE 1 · 2` where the device counts so. */
export function connectorCell(number: number, protocol: string | null): number | string {
  const label = connectorLabel(number, protocol);
  return label.kind === 'evse' ? `EVSE ${label.evse} · ${label.connector}` : number;
}
