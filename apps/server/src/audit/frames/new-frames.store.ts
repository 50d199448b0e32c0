import { frameWithoutSecrets, type SecretKeys, STORED_CHARACTERS } from '@chargehand/domain';
import { numberArray, type Statement, textArray, timeArray } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import type { Item } from '../../ports/uplink-items.ts';

const TYPES = { open: 0, close: 1, receive: 2, send: 3 } as const;

/** URLs of files for devices contain one-time credentials, which the protocol log must not show. */
const CREDENTIALS = /(\/device-files\/|ftps?:\/\/[^\s:/@"]*:)[\w-]+/g;

function withoutCredentials(body: string | null): string | null {
  if (body === null || (!body.includes('/device-files/') && !body.includes('://'))) return body;
  return body.replace(CREDENTIALS, '$1***');
}

/** Adds frames to the protocol log. */
export function frameStatements(
  items: readonly Item<'frame'>[],
  secretsOf: (deviceId: number) => SecretKeys | null,
): Statement[] {
  if (items.length === 0) return [];
  const devices: number[] = [];
  const connections: (string | null)[] = [];
  const times: Date[] = [];
  const types: number[] = [];
  const actions: (string | null)[] = [];
  const messageIds: (string | null)[] = [];
  const bodies: (string | null)[] = [];
  const sizes: number[] = [];
  const notes: (string | null)[] = [];
  for (const { deviceId, event } of items) {
    devices.push(deviceId);
    connections.push(event.connectionId);
    times.push(event.at);
    types.push(TYPES[event.type]);
    actions.push(storableText(event.action, 64));
    messageIds.push(storableText(event.messageId, 64));
    const body = frameWithoutSecrets(event.body, secretsOf(deviceId));
    bodies.push(storableText(withoutCredentials(body), STORED_CHARACTERS));
    sizes.push(event.bytes);
    notes.push(storableText(event.note, 1_000));
  }
  return [
    {
      name: 'frames',
      text: `insert into protocol_frames (device_id, connection_id, at, type, action, message_id, body, bytes, note)
        select d, c, to_timestamp(t / 1000), k, a, m, b, s, n from unnest($1::int[], $2::uuid[], $3::float8[], $4::int2[],
          $5::text[], $6::text[], $7::text[], $8::int[], $9::text[]) as r (d, c, t, k, a, m, b, s, n)`,
      values: [
        numberArray(devices),
        textArray(connections),
        timeArray(times),
        numberArray(types),
        textArray(actions),
        textArray(messageIds),
        textArray(bodies),
        numberArray(sizes),
        textArray(notes),
      ],
    },
  ];
}
