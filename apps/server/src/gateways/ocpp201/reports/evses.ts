import {
  CHARGING_STATUSES,
  type ConnectorUse,
  connectorNumber,
  connectorOfEvse,
  type EvseReport,
  evseConnector,
  evseNumber,
  isWholeEvse,
} from '@chargehand/domain';
import type { ConnectorState } from '../../../ports/devices/device-directory.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';

/** An EVSE as messages name it. Some stations send connector 0 for an EVSE as a whole. */
export interface NamedEvse {
  id: number;
  connectorId?: number;
}

/** Decides where a report belongs; null for numbers that no station has. */
export type PlaceOf = (evse: NamedEvse) => number | null;

/** More connectors than a device may report. */
const REMEMBERED = 256;

/** Statuses that mean that a vehicle is plugged in: the one of OCPP 2, and those of transactions. */
const PLUGGED_IN: ReadonlySet<string> = new Set(['Occupied', ...CHARGING_STATUSES]);

/** The connectors of the EVSEs of a station and their use: what was stored before the connection, and reported on it. */
export class Evses {
  readonly #uses = new Map<number, ConnectorUse>();
  /** the EVSEs whose connectors report individually on this connection */
  readonly #individual = new Set<number>();
  /** the EVSEs with a status as a whole */
  readonly #whole = new Set<number>();

  constructor(states: readonly ConnectorState[]) {
    for (const { connector: number, status, transaction } of states) {
      if (isWholeEvse(number)) this.#whole.add(number);
      else this.#set(number, { occupied: PLUGGED_IN.has(status ?? ''), transaction });
    }
  }

  /** The number of the place that a report concerns; null for numbers that no station has. */
  place({ id, connectorId = 0 }: NamedEvse, report?: EvseReport): number | null {
    if (connectorId !== 0 || id === 0) return connectorNumber(id, connectorId);
    return connectorNumber(id) === null ? null : connectorOfEvse(id, this.#of(id), report);
  }

  /** All places at which an earlier report of an EVSE may have been put. */
  places({ id, connectorId = 0 }: NamedEvse): number[] {
    const place = this.place({ id, connectorId });
    if (place === null) return [];
    if (connectorId !== 0 || id === 0) return [place];
    return [...new Set([place, ...this.#of(id).map(({ number }) => number), evseNumber(id)])];
  }

  /**
   * The places of the status of an EVSE: the connector that it concerns, and the EVSE itself if its status is known, so
   * that an old one does not remain. None if its connectors report individually.
   */
  placesOfStatus(evse: NamedEvse): number[] {
    if (this.#individual.has(evse.id)) return [];
    const place = this.place(evse);
    const whole = evseNumber(evse.id);
    return place === null ? [] : [...new Set([place, ...(this.#whole.has(whole) ? [whole] : [])])];
  }

  /** A connector of an EVSE reported its own status. */
  reportsIndividually(evse: number): void {
    if (evse > 0) this.#individual.add(evse);
  }

  /** Learns from what was reported. */
  follow(events: readonly UplinkEvent[]): void {
    for (const event of events) {
      if (event.kind === 'connectorStatus') {
        if (isWholeEvse(event.connector)) this.#whole.add(event.connector);
        else this.#set(event.connector, { occupied: PLUGGED_IN.has(event.status) });
      } else if (event.kind === 'transactionEvent' && !event.offline) this.#followTransaction(event);
    }
  }

  #followTransaction({ connector, phase, transaction, activity }: Extract<UplinkEvent, { kind: 'transactionEvent' }>) {
    if (phase === 'ended') {
      for (const use of this.#uses.values()) if (use.transaction === transaction) use.transaction = null;
    } else if (connector !== null && !isWholeEvse(connector)) {
      const pluggedIn = activity !== null && activity !== 'Occupied';
      this.#set(connector, { transaction, ...(pluggedIn ? { occupied: true } : {}) });
    }
  }

  #set(number: number, use: Partial<ConnectorUse>): void {
    const known = this.#uses.get(number);
    if (number === 0 || (!known && this.#uses.size >= REMEMBERED)) return;
    this.#uses.set(number, { number, occupied: false, transaction: null, ...known, ...use });
  }

  #of(evse: number): ConnectorUse[] {
    return [...this.#uses.values()].filter(({ number }) => evseConnector(number)?.evse === evse);
  }
}
