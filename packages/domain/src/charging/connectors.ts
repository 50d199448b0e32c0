/**
 * Connectors have one number in this product. OCPP 1.6 numbers all connectors of a device. OCPP 2.0.1 numbers EVSEs,
 * and the connectors of each EVSE. Connector 1 of EVSE n has number n, because most EVSEs have one connector. The other
 * connectors follow in ranges of 256. The last range has the EVSEs as a whole, for reports that name no connector. 0 is the
 * station itself.
 */
export const EVSES = 256;

/** The largest stored number (a `smallint`). */
export const MOST_CONNECTOR = 32_767;

/** An EVSE has at most this many connectors. */
const MOST_OF_EVSE = 127;

/** A connector as OCPP 2.0.1 names it. */
export interface EvseConnector {
  evse: number;
  /** null: the EVSE as a whole */
  connector: number | null;
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
  if (!Number.isInteger(nth) || nth < 1 || nth > MOST_OF_EVSE) return null;
  return evse + EVSES * (nth - 1);
}

/** The number of an EVSE as a whole; for EVSE 256, whose number could not be stored, that of the station. */
export function evseNumber(evse: number): number {
  const number = evse + EVSES * MOST_OF_EVSE;
  return number <= MOST_CONNECTOR ? number : 0;
}

/** True for the number of an EVSE as a whole. */
export function isWholeEvse(number: number): boolean {
  return number > EVSES * MOST_OF_EVSE;
}

/** What is known about a connector of an EVSE. */
export interface ConnectorUse {
  number: number;
  /** a vehicle is plugged in */
  occupied: boolean;
  /** the station's ID of the open transaction */
  transaction: string | null;
}

/** A report about an EVSE that names no connector. */
export interface EvseReport {
  /** the station's ID of the transaction that it is about */
  transaction?: string | null;
  /** it describes the present; an old report does not follow from the present use */
  isNow?: boolean;
}

/**
 * The connector that a report about an EVSE concerns, by the use of its known connectors: the one of the transaction, the
 * only one, the only occupied one, or the only one with an open transaction. An EVSE charges one vehicle at a time. The
 * number of the EVSE as a whole if that does not decide.
 */
export function connectorOfEvse(evse: number, known: readonly ConnectorUse[], report: EvseReport = {}): number {
  const { transaction = null, isNow = true } = report;
  const own = known.find((one) => transaction !== null && one.transaction === transaction);
  if (own) return own.number;
  const [first, second] = known;
  if (!second) return first?.number ?? connectorNumber(evse) ?? 0;
  if (!isNow) return evseNumber(evse);
  const occupied = known.filter((one) => one.occupied);
  if (occupied.length === 1) return occupied[0]!.number;
  // A transaction that is not known yet belongs to none of the connectors with another one.
  const among = transaction === null ? (occupied.length > 0 ? occupied : known) : [];
  const open = among.filter((one) => one.transaction !== null);
  return open.length === 1 ? open[0]!.number : evseNumber(evse);
}

/** EVSE and connector of a number; null for the station itself. */
export function evseConnector(number: number): EvseConnector | null {
  if (number === 0) return null;
  const connector = isWholeEvse(number) ? null : Math.floor((number - 1) / EVSES) + 1;
  return { evse: ((number - 1) % EVSES) + 1, connector };
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
 * The first connector in a report that exceeds the number of connectors. The device itself and whole EVSEs do not count.
 * Null if there is none.
 */
export function excessConnector(known: ReadonlySet<number>, reported: Iterable<number>, limit: number): number | null {
  const fresh = new Set<number>();
  for (const connector of reported) {
    if (connector === 0 || isWholeEvse(connector) || known.has(connector) || fresh.has(connector)) continue;
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
  | { kind: 'evse'; evse: number; connector: number }
  | { kind: 'wholeEvse'; evse: number };

/** The subprotocols whose devices number EVSEs, and connectors within them. */
const NUMBERS_EVSES: ReadonlySet<string | null> = new Set(['ocpp2.0.1', 'ocpp2.1']);

/**
 * How a connector is named for a `protocol` (the subprotocol of the connection; null if unknown): as EVSE and connector
 * with OCPP 2, and for numbers that only OCPP 2 uses. MQTT devices have units instead of connectors.
 */
export function connectorLabel(number: number, protocol: string | null): ConnectorLabel {
  const place = evseConnector(number);
  if (!place) return { kind: 'station' };
  const { evse, connector } = place;
  if (connector === null) return { kind: 'wholeEvse', evse };
  if (NUMBERS_EVSES.has(protocol) || connector > 1) return { kind: 'evse', evse, connector };
  return { kind: isOverMqtt(protocol) ? 'unit' : 'number', number };
}

/** A connector in a spreadsheet cell: its number, or `EVSE 1 · 2` for devices that number EVSEs. */
export function connectorCell(number: number, protocol: string | null): number | string {
  const label = connectorLabel(number, protocol);
  if (label.kind === 'wholeEvse') return `EVSE ${label.evse}`;
  return label.kind === 'evse' ? `EVSE ${label.evse} · ${label.connector}` : number;
}
