import { MAX_LINK_MINUTES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Time, Words } from '../schemas.ts';
import { ShareRow } from '../shares/schemas.ts';
import { TERMINAL_ENDS } from './schemas.ts';

/** Where guests open their WebSocket: this path and their key. Watchers open it at `TERMINAL_PATH`. */
export const GUEST_TERMINAL_PATH = '/api/unauth/share/terminals';

/** Who sees a terminal besides its user. */
export const TerminalPeople = Exact({
  /** the names of the users who watch */
  watchers: Type.Array(Type.String()),
  guests: Type.Array(
    Exact({
      /** of the share that invited them */
      id: Id,
      name: Type.String(),
      interactive: Type.Boolean(),
      /** false while their connection is lost */
      connected: Type.Boolean(),
    }),
  ),
});
export type TerminalPeople = Static<typeof TerminalPeople>;

/** An open terminal. */
export const OpenTerminal = Exact({
  /** of its recording */
  id: Id,
  /** the user of the device */
  userName: Type.String(),
  /** who opened it, and whether their page is connected */
  host: Type.String(),
  hostConnected: Type.Boolean(),
  cols: Type.Integer(),
  rows: Type.Integer(),
  startedAt: Time,
  /** who typed last; null before the first input */
  typed: Type.Union([Exact({ name: Type.String(), at: Time }), Type.Null()]),
  people: TerminalPeople,
});
export type OpenTerminal = Static<typeof OpenTerminal>;

/** Why a terminal is over for a watcher or a guest. */
export const VIEWER_ENDS = [...TERMINAL_ENDS, 'removed', 'expired'] as const;
export type ViewerEnd = (typeof VIEWER_ENDS)[number];
export const ViewerEndWord = Words(VIEWER_ENDS);

/**
 * A text message to a watcher or a guest; output is binary. `screen`: forget what was shown, because the recent output
 * follows. Guests send input as binary messages.
 */
export type ViewerMessage =
  | { screen: { cols: number; rows: number } }
  | { size: { cols: number; rows: number } }
  | { people: TerminalPeople }
  | { host: { name: string; connected: boolean } }
  | { typed: string }
  | { interactive: boolean }
  | { end: ViewerEnd };

const path = '/api/auth/sys/links';
const route = { keys: ['auth_device_detail'] } as const;
const ofLink = { object: 'link', from: 'params.id' } as const;
const TerminalParams = Exact({ id: Id, terminalId: Id });
const GuestParams = Exact({ id: Id, guestId: Id });
const uses = { route, row: ofLink, level: 'control', remote: 'row' } as const;

/** A guest of the web pages of a link. */
export const PageGuest = Exact({
  /** of the share that invited them */
  id: Id,
  name: Type.String(),
  /** may also send forms and messages; otherwise they only read */
  interactive: Type.Boolean(),
  /** uses the device cookies of the user */
  hostSession: Type.Boolean(),
});
export type PageGuest = Static<typeof PageGuest>;

/** Watching terminals, and guests in them and in web pages. */
export const guestEndpoints = {
  listTerminals: endpoint({
    id: 'links.terminals',
    method: 'GET',
    path: `${path}/:id/terminals`,
    policy: uses,
    effect: 'list',
    summary: 'List the open terminals of a link: who uses them, who watches, and their guests',
    nameZh: '查看已打开的终端',
    params: IdParams,
    answer: Exact({ items: Type.Array(OpenTerminal) }),
  }),
  watchTerminal: endpoint({
    id: 'links.watchTerminal',
    method: 'POST',
    path: `${path}/:id/terminals/:terminalId/watch`,
    policy: uses,
    effect: 'control',
    summary: 'Watch an open terminal. The answer has the key of its WebSocket. Its user sees who watches',
    nameZh: '旁观终端',
    params: TerminalParams,
    body: Exact({}),
    answer: Exact({ key: Type.String() }),
  }),
  endTerminal: endpoint({
    id: 'links.endTerminal',
    method: 'DELETE',
    path: `${path}/:id/terminals/:terminalId`,
    policy: { route, row: ofLink, level: 'control' },
    effect: 'delete',
    summary: 'End a terminal now',
    nameZh: '结束终端',
    params: TerminalParams,
    answer: Type.Null(),
  }),
  inviteGuest: endpoint({
    id: 'links.inviteGuest',
    method: 'POST',
    path: `${path}/:id/terminals/:terminalId/guests`,
    policy: uses,
    effect: 'control',
    summary: 'Invite a person without an account into a terminal of the caller, by a link with a code',
    nameZh: '邀请访客进入终端',
    params: TerminalParams,
    body: Exact({
      /** the guest may type */
      interactive: Type.Boolean(),
      /** for how long; at the latest until the link ends */
      minutes: Type.Integer({ minimum: 1, maximum: MAX_LINK_MINUTES }),
      recipient: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: ShareRow,
  }),
  changeGuest: endpoint({
    id: 'links.changeGuest',
    method: 'PATCH',
    path: `${path}/:id/guests/:guestId`,
    policy: uses,
    effect: 'control',
    summary: 'Let a guest of the caller type or make changes, or only watch',
    nameZh: '设置访客能否操作',
    params: GuestParams,
    body: Exact({ interactive: Type.Boolean() }),
    answer: Type.Null(),
  }),
  listPageGuests: endpoint({
    id: 'links.pageGuests',
    method: 'GET',
    path: `${path}/:id/guests`,
    policy: uses,
    effect: 'list',
    summary: 'List the guests who use the web pages of a link',
    nameZh: '查询设备网页的访客',
    params: IdParams,
    answer: Exact({ items: Type.Array(PageGuest) }),
  }),
  invitePageGuest: endpoint({
    id: 'links.invitePageGuest',
    method: 'POST',
    path: `${path}/:id/guests`,
    policy: uses,
    effect: 'control',
    summary: 'Invite a person without an account to the web pages of a link of the caller, by a link with a code',
    nameZh: '邀请访客打开设备网页',
    params: IdParams,
    body: Exact({
      /** the guest may also send forms and messages; otherwise they only read */
      interactive: Type.Boolean(),
      /** the guest uses the device cookies of the caller; otherwise their own */
      hostSession: Type.Boolean(),
      /** for how long; at the latest until the link ends */
      minutes: Type.Integer({ minimum: 1, maximum: MAX_LINK_MINUTES }),
      recipient: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: ShareRow,
  }),
  removeGuest: endpoint({
    id: 'links.removeGuest',
    method: 'DELETE',
    path: `${path}/:id/guests/:guestId`,
    policy: { route, row: ofLink, level: 'control' },
    effect: 'delete',
    summary: 'End the access of a guest now, and their invitation',
    nameZh: '结束访客的访问',
    params: GuestParams,
    answer: Type.Null(),
  }),
};
