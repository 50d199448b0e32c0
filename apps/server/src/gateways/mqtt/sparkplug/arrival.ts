import type { EdgeMessage } from '@chargehand/domain';
import type { DeviceConnection } from '../connection.ts';
import type { EdgeType } from '../topics.ts';
import { type EdgePayload, numberOf } from './payload.ts';

/** A received message. */
export interface EdgeArrival {
  type: EdgeType;
  device: string | null;
  bytes: Buffer;
  receivedAt: Date;
  /** the device waits for an acknowledgement and repeats the message without one */
  acknowledged: boolean;
  /** a retained message, whose time is unknown */
  retained?: boolean;
  /** the connection on the embedded broker; null behind an external one */
  connection: DeviceConnection | null;
  remoteAddress: string;
}

/** A decoded message with the fields that the state machine of edge nodes needs. */
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
