import { type Static, Type } from 'typebox';
import { BELL_ROWS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { BatchRow } from './operations/batches.ts';
import { ExecutionRow } from './operations/operations.ts';
import { Exact, Id, NullableText, NullableTime, Time } from './schemas.ts';

const Count = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/** What is new for a user. */
export const Bell = Exact({
  /** null: the user may not read this source */
  counts: Exact({
    /** open alarms in the user's scope that nobody has acknowledged; suppressed ones are not counted */
    alarms: Count,
    /** commands, batches and transfers of the user that ended since `openedAt`, at most `BELL_LIMIT` */
    results: Count,
  }),
  /** when the user last opened the bell; null: never. Without it, and at most, a week is counted */
  openedAt: NullableTime,
});
export type Bell = Static<typeof Bell>;

/** A command or batch of a user that ended. For a command with a file, its transfer has ended, too. */
export const OwnResult = Exact({
  kind: ExecutionRow.properties.kind,
  connector: Type.Integer(),
  /** the parameter that was set or read; null for other commands */
  key: NullableText,
  siteName: Type.String(),
  endedAt: Time,
  /** null for a batch */
  device: Type.Union([
    Exact({
      id: Id,
      name: Type.String(),
      executionId: ExecutionRow.properties.id,
      protocol: NullableText,
      outcome: ExecutionRow.properties.outcome,
    }),
    Type.Null(),
  ]),
  /** null for a command to one device */
  batch: Type.Union([Exact({ id: Id, counts: BatchRow.properties.counts }), Type.Null()]),
});
export type OwnResult = Static<typeof OwnResult>;

/** The keys of users who may read alarms or their own commands. */
const READERS = ['auth_home', 'auth_device_list', 'auth_device_detail', 'auth_site_detail'] as const;

export const bellEndpoints = {
  readBell: endpoint({
    id: 'bell.read',
    method: 'GET',
    path: '/api/auth/sys/bell',
    policy: { route: { keys: READERS }, row: 'own' },
    effect: 'read',
    summary:
      'Count what is new for the caller: unacknowledged alarms, and their commands that ended since the last opening',
    answer: Bell,
  }),
  openBell: endpoint({
    id: 'bell.open',
    method: 'POST',
    path: '/api/auth/sys/bell/opened',
    policy: { route: { keys: READERS }, row: 'own' },
    effect: 'session',
    summary: 'Record that the caller has seen what is new until now. Commands that end later count as new',
    body: Exact({}),
    answer: Exact({ openedAt: Time }),
  }),
  listOwnResults: endpoint({
    id: 'commands.results',
    method: 'GET',
    path: '/api/auth/sys/commands/results',
    policy: { route: { keys: ['auth_device_detail'] }, row: 'own' },
    effect: 'list',
    summary: "List the caller's commands, batches and transfers that ended last, newest first",
    answer: Exact({ items: Type.Array(OwnResult, { maxItems: BELL_ROWS }) }),
  }),
};
