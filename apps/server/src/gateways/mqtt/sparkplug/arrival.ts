import type { EdgeMessage } from '@chargehand/domain';
import type { DeviceConnection } from '../connection.ts';
import type { EdgeType } from '../topics.ts';
import { type EdgePayload, numberOf } from './payload.ts';

/** A message as it came in. */
export interface EdgeArrival {
  type: EdgeType;
  device: string | null;
  bytes: Buffer;
  receivedAt: Date;
  /** the device waits for an acknowledgement, and sends again what it does not get one for */
  acknowledged: boolean;
  /** the broker kept it, from whenever: it says nothing of the present */
  retained?: boolean;
  /** the connection's own connection on the embedded broker; null behind an external one */
  connection: DeviceConnection | null;
  remoteAddress: string;
}

/** A message that could be read: what the state machine of edge nodes takes, with what it holds. */
export type Item = EdgeMessage & { arrival: EdgeArrival; payload: EdgePayload };

export function itemOf(arrival: EdgeArrival, payload: EdgePayload): Item {
  return { ...messageOf(arrival, payload), arrival, payload };
}

function messageOf({ type, device }: EdgeArrival, { seq, metrics }: EdgePayload): EdgeMessage {
  if (type === 'NBIRTH' || type === 'NDEATH') {
    const metric = metrics.find(({ name }) => name === 'bdSeq');
    const bdSeq = numberOf(metric?.longValue ?? metric?.intValue);
    return type === 'NBIRTH' ? { type, seq, bdSeq } : { type, bdSeq };
  }
  return type === 'NDATA' ? { type, seq } : { type, seq, device: device ?? '' };
}
