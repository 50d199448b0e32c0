import type { UplinkEvent } from '../../../../ports/uplink.ts';
import type { Dialect, FollowUp } from '../../dialect.ts';
import type { ServerRequest } from '../../server-requests.ts';
import { readAnyway } from '../../tolerance/tolerance.ts';
import { CALLERROR, short } from '../../wire.ts';
import { type MessageFault, partialFault, toleratedFault } from '../faults/message-faults.ts';

/** How a connection reads and stores the answers to requests of the server. */
export interface AnswerReader {
  dialect: Dialect;
  tolerant: boolean;
  /** the events about a fault in a message */
  faultsOf(action: string, fault: MessageFault | null, at: Date): UplinkEvent[];
  store(events: UplinkEvent[]): Promise<void>;
}

/** A request of the dialect. Its answer is checked and stored. `reader`: how, when the answer arrives. */
export function serverRequestOf({ action, payload, read }: FollowUp, reader: () => AnswerReader): ServerRequest {
  return {
    ...{ action, message: action, payload },
    readAnswer: (frame, at) => {
      if (frame.type === CALLERROR) return { note: `refused: ${short(frame.code)}`, stored: Promise.resolve() };
      const how = reader();
      const { answer, fault, note } = readOwnAnswer(how, action, frame.payload, at);
      const events = [...(answer ? read(answer, at) : []), ...how.faultsOf(action, fault, at)];
      return { note, stored: events.length > 0 ? how.store(events) : Promise.resolve() };
    },
  };
}

/** An answer to a request of the server, null if it violates its schema, and the note about it. */
function readOwnAnswer(
  { dialect, tolerant }: AnswerReader,
  action: string,
  payload: unknown,
  at: Date,
): { answer: Record<string, unknown> | null; fault: MessageFault | null; note: string } {
  const violation = dialect.schemas.violationOf(action, 'conf', payload);
  const message = { action, kind: 'conf', payload } as const;
  const whole = { payload: payload as object, notes: [], refused: [] };
  const tolerated = violation ? readAnyway(dialect, message, { tolerant, receivedAt: at }) : whole;
  if (!tolerated) {
    const { description: reason } = violation!;
    return { answer: null, fault: { outcome: 'rejected', reason }, note: reason };
  }
  const answer = tolerated.payload as Record<string, unknown>;
  const { notes, refused } = tolerated;
  const status = typeof answer.status === 'string' ? answer.status : 'accepted';
  const fault = partialFault(refused) ?? toleratedFault(notes);
  return { answer, fault, note: [status, ...notes, ...refused].join('; ') };
}
