import type { UplinkEvent } from '../../ports/uplink.ts';

/**
 * How a storage unit stands, in the words that connectors have (OCPP 1.6 §7.7): the status of a device follows from
 * them, whatever protocol it speaks. By number as the ready-made model counts states, or by word.
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

/** The status that a device's word or number for its state stands for; null when nobody knows it. */
export function statusOf(state: string | number | boolean): { status: string; info: string | null } | null {
  const word = String(state).toLowerCase();
  return Object.hasOwn(STATES, word) ? (STATES[word] ?? null) : null;
}

/** The connector under which a unit's own state stands; 0 is the device, which may be taken out of service as a whole. */
const UNIT = 1;

/** What is known of how a unit stands, gathered from several metrics. */
export class Condition {
  #state: { status: string; info: string | null } | null = null;
  readonly #faults = new Map<string, number>();
  #enabled: boolean | null = null;
  #toldUnit = '';
  #toldDevice: boolean | null = null;

  /** Takes a state; false when it is none that is known. */
  state(value: string | number | boolean): boolean {
    const known = statusOf(value);
    if (known) this.#state = known;
    return known !== null;
  }

  /** Takes a fault code; 0 is none. */
  fault(key: string, code: number): void {
    if (code === 0) this.#faults.delete(key);
    else this.#faults.set(key, code);
  }

  enabled(value: boolean): void {
    this.#enabled = value;
  }

  /** Everything is told again with the next look: a new session. */
  forget(): void {
    this.#state = null;
    this.#faults.clear();
    this.#enabled = null;
    this.#toldUnit = '';
    this.#toldDevice = null;
  }

  /** The reports that are due; a status that was told is not repeated. */
  events(at: Date): UplinkEvent[] {
    const events: UplinkEvent[] = [];
    if (this.#enabled !== null && this.#enabled !== this.#toldDevice) {
      this.#toldDevice = this.#enabled;
      events.push(report(0, at, this.#enabled ? 'Available' : 'Unavailable', null, null));
    }
    const [fault] = this.#faults;
    if (!this.#state && !fault && this.#toldUnit === '') return events;
    const { status: word, info } = this.#state ?? { status: fault ? 'Faulted' : 'Available', info: null };
    const code = fault ? `${fault[0]}:${fault[1]}` : null;
    const text = `${word} ${info} ${code}`;
    if (text === this.#toldUnit) return events;
    this.#toldUnit = text;
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
