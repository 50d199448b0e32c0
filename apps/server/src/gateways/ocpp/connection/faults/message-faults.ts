import type { UplinkEvent } from '../../../../ports/uplink.ts';

type FaultEvent = Extract<UplinkEvent, { kind: 'messageFault' }>;
/** What is wrong with a message, and whether it was read anyway. */
export type MessageFault = Pick<FaultEvent, 'outcome' | 'reason'>;

/** The fault of a message whose good parts are stored; null if none of it was refused. */
export function partialFault(refused: readonly string[]): MessageFault | null {
  return refused.length === 0 ? null : { outcome: 'partial', reason: refused.join('; ').slice(0, 300) };
}

/** The first deviation that was tolerated. */
export function toleratedFault([note]: readonly string[]): MessageFault | null {
  return note === undefined ? null : { outcome: 'tolerated', reason: note.replace(/^tolerated: /, '') };
}

/** The code of the alarm of a device whose status reports are rejected: a fault in them would stay unnoticed. */
const STATUS_REJECTED = 'StatusRejected';

/** A device may send a faulty message each second. Repetitions are counted here and stored this often. */
const REPORT_EVERY_MS = 60_000;

/** The faults of the messages of one connection. The actions are those of the protocol, so their number is bounded. */
export class MessageFaults {
  readonly #counted = new Map<string, FaultEvent>();
  /** status reports are being rejected */
  #isAlarmed: boolean;

  constructor(isAlarmed: boolean) {
    this.#isAlarmed = isAlarmed;
  }

  /** The events to store after a CALL with an action was read: with a fault, or with none. */
  after(action: string, fault: MessageFault | null, at: Date): UplinkEvent[] {
    const events: UplinkEvent[] = [];
    if (fault) {
      const key = `${fault.outcome} ${action}`;
      const counted = this.#counted.get(key);
      const due = !counted || at.getTime() - counted.at.getTime() >= REPORT_EVERY_MS;
      if (!due) counted.count += 1;
      else {
        const count = counted ? counted.count + 1 : 1;
        events.push({ kind: 'messageFault', ...fault, action, count, since: at, at });
        this.#counted.set(key, { kind: 'messageFault', ...fault, action, count: 0, since: at, at });
      }
    }
    const isRejected = fault?.outcome === 'rejected';
    if (action !== 'StatusNotification' || isRejected === this.#isAlarmed) return events;
    this.#isAlarmed = isRejected;
    const info = fault?.reason ?? null;
    events.push({
      ...{ kind: 'alarm', connector: 0, at, code: STATUS_REJECTED, alarmKind: 'alarm', level: 'MA' },
      ...{ info, active: isRejected },
    });
    return events;
  }
}
