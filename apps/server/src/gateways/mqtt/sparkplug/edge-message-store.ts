import type { UplinkEvent } from '../../../ports/uplink.ts';
import { changedSkew } from '../../ocpp/connection/clock.ts';
import { partialFault } from '../../ocpp/connection/faults/message-faults.ts';
import { frameEvent } from '../../ocpp/frame-event.ts';
import type { Host, Subject } from '../broker/host.ts';
import type { EdgeArrival, Item } from './arrival.ts';
import { describe } from './describe.ts';
import type { Reading } from './node-metrics.ts';
import type { EdgePayload } from './payload.ts';

/**
 * Stores the messages of an edge node. Each method resolves when the message is stored. Nothing is stored for
 * unregistered devices.
 */
export interface EdgeMessageStore {
  /** A message and its events. */
  reading(item: Item, subject: Subject, reading: Reading): Promise<void>;
  /** A message without events, and why it has none. */
  message(item: Item, subject: Subject | null, note: string): Promise<void>;
  /** A refused message, and why. Its content is not stored. */
  refused(arrival: EdgeArrival, subject: Subject | null, why: string): Promise<void>;
  /** A refused message that violates the protocol; operators see that with the device. */
  malformed(arrival: EdgeArrival, subject: Subject | null, why: string): Promise<void>;
}

export function edgeMessageStore(host: Pick<Host, 'store' | 'pendingCommandOf'>): EdgeMessageStore {
  async function save(
    arrival: EdgeArrival,
    subject: Subject | null,
    events: UplinkEvent[],
    received: { note: string | null; payload?: EdgePayload },
  ): Promise<void> {
    if (!subject) return;
    const { type, device, bytes, receivedAt, acknowledged } = arrival;
    const { note, payload } = received;
    const frame = frameEvent(subject.connection?.connectionId ?? null, 'receive', receivedAt, {
      action: device === null ? type : `${type} ${device}`,
      messageId: payload === undefined || payload.seq === null ? null : String(payload.seq),
      body: payload === undefined ? null : describe(payload),
      bytes: bytes.length,
      note,
    });
    await host.store(subject.device.deviceId, [frame, ...events], acknowledged);
  }

  return {
    reading({ arrival, payload }, subject, { events, facts, notes, refused }) {
      const { receivedAt, type } = arrival;
      const more = [...events, ...host.pendingCommandOf(subject.device.deviceId).answers(facts, receivedAt)];
      more.push(...subject.faults.after(type, partialFault(refused), receivedAt));
      if (payload.timestamp !== null) {
        const skewMs = changedSkew(subject.reportedSkew, new Date(payload.timestamp), receivedAt);
        if (skewMs !== null) {
          subject.reportedSkew = skewMs;
          more.push({ kind: 'clock', skewMs });
        }
      }
      return save(arrival, subject, more, { note: [...notes, ...refused].join('; ') || null, payload });
    },
    message: ({ arrival, payload }, subject, note) => save(arrival, subject, [], { note, payload }),
    refused: (arrival, subject, why) => save(arrival, subject, [], { note: `refused: ${why}` }),
    malformed(arrival, subject, why) {
      const { type, receivedAt } = arrival;
      const fault = { outcome: 'rejected', reason: why } as const;
      const events = subject?.faults.after(type, fault, receivedAt) ?? [];
      return save(arrival, subject, events, { note: `refused: ${why}` });
    },
  };
}
