import type { UplinkEvent } from '../../ports/uplink.ts';

/**
 * The states of a storage unit as connector statuses of OCPP 1.6 §7.7. The status of a device follows from them in
 * every protocol. Units report a number, as in the ready-made model, or a word.
 */
const STATES: Readonly<Record<string, { status: string; info: string | null }>> = {
  ...{ 0: status('Available'), 1: status('Charging'), 2: status('Charging', 'Discharging'), 3: status('Faulted') },
  ...{ idle: status('Available'), standby: status('Available'), available: status('Available') },
  ...{ charging: status('Charging'), discharging: status('Charging', 'Discharging') },
  ...{ fault: status('Faulted'), faulted: status('Faulted') },
  ...{ unavailable: status('Unavailable'), disabled: status('Unavailable') },
  ...{ preparing: status('Preparing'), finishing: status('Finishing'), reserved: status('Reserved') },
  ...{ suspendedev: status('SuspendedEV'), suspendedevse: status('SuspendedEVSE') },
};

function status(word: string, info: string | null = null) {
  return { status: word, info };
}

/** The status for a reported word or number; null if it is unknown. */
export function statusOf(state: string | number | boolean): { status: string; info: string | null } | null {
  const word = String(state).toLowerCase();
  return Object.hasOwn(STATES, word) ? (STATES[word] ?? null) : null;
}

/** The connector of the unit's own state. 0 is the device, which can be unavailable as a whole. */
const UNIT = 1;

/** The state of a unit, collected from several metrics. */
export class Condition {
  #state: { status: string; info: string | null } | null = null;
  readonly #faults = new Map<string, number>();
  #enabled: boolean | null = null;
  #reportedStatus = '';
  #reportedEnabled: boolean | null = null;

  /** Takes a state. Returns false if it is unknown. */
  state(value: string | number | boolean): boolean {
    const known = statusOf(value);
    if (known) this.#state = known;
    return known !== null;
  }

  /** Takes a fault code; 0 is no fault. */
  fault(key: string, code: number): void {
    if (code === 0) this.#faults.delete(key);
    else this.#faults.set(key, code);
  }

  enabled(value: boolean): void {
    this.#enabled = value;
  }

  /** Starts a new session: reports everything again. */
  forget(): void {
    this.#state = null;
    this.#faults.clear();
    this.#enabled = null;
    this.#reportedStatus = '';
    this.#reportedEnabled = null;
  }

  /** The reports that are due. A status is not reported twice. */
  events(at: Date): UplinkEvent[] {
    const events: UplinkEvent[] = [];
    if (this.#enabled !== null && this.#enabled !== this.#reportedEnabled) {
      this.#reportedEnabled = this.#enabled;
      events.push(report(0, at, this.#enabled ? 'Available' : 'Unavailable', null, null));
    }
    const [fault] = this.#faults;
    if (!this.#state && !fault && this.#reportedStatus === '') return events;
    const { status: word, info } = this.#state ?? { status: fault ? 'Faulted' : 'Available', info: null };
    const code = fault ? `${fault[0]}:${fault[1]}` : null;
    const text = `${word} ${info} ${code}`;
    if (text === this.#reportedStatus) return events;
    this.#reportedStatus = text;
    events.push(report(UNIT, at, word, code, info));
    return events;
  }
}

function report(connector: number, at: Date, word: string, code: string | null, info: string | null): UplinkEvent {
  const errorCode = code !== null || word === 'Faulted' ? 'OtherError' : 'NoError';
  return {
    kind: 'connectorStatus',
    connector,
    at,
    status: word,
    errorCode,
    vendorErrorCode: code?.slice(0, 64) ?? null,
    info,
  };
}
