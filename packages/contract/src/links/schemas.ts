import { LINK_ENDS, LINK_KINDS, LINK_STATES, MAX_LINK_MINUTES, MAX_LINK_REASON } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Exact, Id, Keyset, Lines, Matching, NullableText, NullableTime, Time, Words } from '../schemas.ts';

export const LinkKindWord = Words(LINK_KINDS);
const NullableId = Type.Union([Id, Type.Null()]);
const Bytes = Type.Integer({ minimum: 0 });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

export const NewLink = Exact({
  kind: LinkKindWord,
  /** why the link is needed, for the customer and the log */
  reason: Lines({ minLength: 1, maxLength: MAX_LINK_REASON }),
  /** an issue of the device */
  issueId: Type.Optional(Id),
  /** how long it may be open; default 15 */
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LINK_MINUTES })),
  /** the TCP port on the device; default 22, and 80 for web pages */
  port: Type.Optional(Port),
});
export type NewLink = Static<typeof NewLink>;

export const LinkRow = Exact({
  id: Id,
  kind: LinkKindWord,
  /** `id` is null when the device was removed */
  device: Exact({ id: NullableId, sn: Type.String(), name: Type.String() }),
  customerId: Id,
  siteId: NullableId,
  port: Port,
  reason: Type.String(),
  issueId: NullableId,
  state: Words(LINK_STATES),
  end: Type.Union([Words(LINK_ENDS), Type.Null()]),
  /** the status code or text of the device, with `vpnError` */
  endDetail: NullableText,
  /** the user who ended it */
  endedBy: NullableText,
  requestedBy: Type.String(),
  /** the caller requested it */
  own: Type.Boolean(),
  requestedAt: Time,
  minutes: Type.Integer(),
  until: Time,
  /** a second person must approve it; `by` is who did */
  approval: Exact({ needed: Type.Boolean(), by: NullableText }),
  openedAt: NullableTime,
  endedAt: NullableTime,
  /** the network address of the device */
  address: NullableText,
  /** the user of the device for whom terminals need no password; null: the device does not support it */
  shellUser: NullableText,
  /** over the connection of the device, from it and to it */
  bytesIn: Bytes,
  bytesOut: Bytes,
  /** the number of recordings of its terminals */
  recordings: Type.Integer({ minimum: 0 }),
  /** the execution of control 7; null before it was sent */
  executionId: NullableText,
});
export type LinkRow = Static<typeof LinkRow>;
export const LinkPage = Keyset(LinkRow);

/** Where terminals open their WebSocket: this path, their key, and `?from=` the bytes of output that the page has. */
export const TERMINAL_PATH = '/api/terminals';

export const NewTerminal = Exact({
  /** of the device; kept in memory only. Without it, the user of the device who accepts the key of the link signs in */
  userName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** encrypted for the server; required with a user name */
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  cols: Type.Integer({ minimum: 1, maximum: 1_000 }),
  rows: Type.Integer({ minimum: 1, maximum: 1_000 }),
});

/**
 * Why a terminal ended: the last text message of its WebSocket is `{"end":"…"}`. Output is binary. The page sends input
 * as binary messages, and as text `{"ack":bytes}` for output that it has shown, `{"size":{"cols":80,"rows":24}}` and
 * `{"close":true}`. Without acknowledgements the server stops reading from the device. After a lost connection the page
 * has a minute to connect again. `{"people":…}` tells the page who watches, and its guests.
 */
export const TERMINAL_ENDS = ['exited', 'closed', 'away', 'signedOut', 'linkEnded', 'lost', 'ended'] as const;
export type TerminalEnd = (typeof TERMINAL_ENDS)[number];

/** The recording of a terminal. */
export const LinkRecording = Exact({
  id: Id,
  /** the user of the device */
  userName: Type.String(),
  cols: Type.Integer(),
  rows: Type.Integer(),
  startedAt: Time,
  /** null while it is recorded, and when the server was killed */
  endedAt: NullableTime,
  end: Type.Union([Words(TERMINAL_ENDS), Type.Null()]),
  bytes: Bytes,
});
export type LinkRecording = Static<typeof LinkRecording>;

/** A time of the day in the zone of the fleet. */
const Clock = Matching('^([01][0-9]|2[0-3]):[0-5][0-9]$', '08:30');

export const LinkPolicySchema = Exact({
  /** a second person approves each link */
  secondPerson: Type.Boolean(),
  /** when links may be open, in the zone of the fleet; null: always */
  hours: Type.Union([Exact({ from: Clock, until: Clock }), Type.Null()]),
  /** the web pages of devices may be opened */
  web: Type.Boolean(),
});
export type LinkPolicyValues = Static<typeof LinkPolicySchema>;

/** What the caller may request for a device now. */
export const LinkOptions = Exact({
  kinds: Type.Array(
    Exact({
      kind: LinkKindWord,
      /** why it cannot be requested now, as the request would answer; null: it can */
      refusal: Type.Union([Exact({ code: Type.Integer(), message: Type.String() }), Type.Null()]),
      port: Port,
    }),
  ),
  policy: LinkPolicySchema,
  defaultMinutes: Type.Integer(),
  /** at most; less when the allowed hours end earlier */
  maxMinutes: Type.Integer(),
});
export type LinkOptions = Static<typeof LinkOptions>;
