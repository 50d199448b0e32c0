import type {
  BodyOf,
  linkEndpoints,
  OpenTerminal as OpenTerminalRow,
  ResultOf,
  ShareRow,
  WithDates,
} from '@chargehand/contract';
import { TOKEN_COOKIE } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import type { GuestShares, GuestTerminals, JoiningTerminalGuest } from '../../ports/devices/link-guests.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import { findLink, type LinkRecord } from '../links.store.ts';
import type { OpenTerminal, Terminals } from '../terminal/terminals.ts';
import type { Seat } from './audience.ts';
import type { PageGuestsService } from './page-guests.service.ts';

type Endpoints = typeof linkEndpoints;
export type GuestsService = ReturnType<typeof guestsService>;

/** Users who watch one terminal. */
const MAX_WATCHERS = 20;
/** Guests and unused invitations of one terminal. */
const MAX_GUESTS = 5;
const MINUTE_MS = 60_000;

/** Who acts in the log: a user, or a guest by their address. */
type Actor = Parameters<typeof logAction>[1];

/** Watching terminals, and guests in them. */
export function guestsService(parts: {
  db: Kysely<Database>;
  bus: Bus;
  clock: Clock;
  log: Log;
  terminals: Pick<Terminals, 'of' | 'find' | 'admit' | 'forget'>;
  shares: GuestShares;
  pageGuests: Pick<PageGuestsService, 'checkGuest'>;
  announce(link: LinkRecord): void;
}) {
  const { db, bus, clock, log, terminals, shares, pageGuests, announce } = parts;
  const pending = new Set<Promise<unknown>>();
  /** the guests who have joined, by their share */
  const joined = new Map<number, { seat: Seat; visitor: string; key: string }>();

  /** @throws {Problem} terminalOver */
  function openTerminal(linkId: number, terminalId: number): OpenTerminal {
    const open = terminals.find(terminalId);
    if (open?.linkId !== linkId) throw new Problem('terminalOver');
    return open;
  }

  async function record(actor: Actor, linkId: number, after: object): Promise<void> {
    const link = await findLink(db, linkId);
    if (!link) return;
    await logAction(db, actor, {
      ...{ operation: 'control', objectType: 'device', objectId: String(link.deviceId ?? '') },
      ...{ objectName: link.deviceName, customerId: link.customerId, siteId: link.siteId },
      after: { link: link.kind, ...after },
    });
  }
  /** Does what no caller waits for. */
  const later = (work: Promise<unknown>) => {
    const caught = work
      .catch((error: unknown) => log.error({ err: error }, 'a guest of a terminal could not be logged or checked'))
      .finally(() => pending.delete(caught));
    pending.add(caught);
  };

  /**
   * Requires an invitation into an open terminal or the pages of a link.
   * @returns who invited the guest: the user of the terminal or of the link
   * @throws {Problem} terminalOver
   */
  async function inviter(linkId: number, shareId: number): Promise<number> {
    const share = await shares.find(shareId);
    const terminal = share?.terminalId == null ? null : terminals.find(share.terminalId);
    if (!share || (share.pagesOf ?? terminal?.linkId) !== linkId) throw new Problem('terminalOver');
    return terminal ? terminal.host.userId : share.createdBy;
  }

  /** A share was changed, locked or destroyed. */
  async function checkGuest(shareId: number): Promise<void> {
    await pageGuests.checkGuest(shareId);
    const share = await shares.find(shareId);
    const guest = joined.get(shareId);
    if (!share?.open) guest?.seat.leave('removed');
    else guest?.seat.setInteractive(share.interactive);
  }
  const leave = bus.subscribe('share.changed', ({ shareId }) => {
    const guest = joined.get(shareId);
    if (!guest) return;
    later(
      checkGuest(shareId).catch((error: unknown) => {
        // Without the state of the invitation, the guest must not stay.
        guest.seat.leave('removed');
        throw error;
      }),
    );
  });

  const guests: GuestTerminals = {
    isOpen: (terminalId) => terminals.find(terminalId) !== null,

    async join({ shareId, terminalId, name, address, interactive, until, visitor, cookie }: JoiningTerminalGuest) {
      const open = terminals.find(terminalId);
      if (!open) throw new Problem('terminalOver');
      const other = joined.get(shareId);
      if (other && other.visitor !== visitor) throw new Problem('guestTaken');
      other?.seat.leave('closed');
      const actor: Actor = { userId: null, userName: '', address };
      const cancel =
        until === null
          ? () => undefined
          : clock.after(until.getTime() - clock.now().getTime(), () => seat.leave('expired'));
      const seat = open.audience.add({ kind: 'guest', id: shareId, name, interactive }, () => {
        cancel();
        terminals.forget(key);
        joined.delete(shareId);
        open.terminal.mark(`guest left: ${name}`);
        later(record(actor, open.linkId, { guestLeft: name }));
      });
      const key = terminals.admit(cookie, seat.connect);
      joined.set(shareId, { seat, visitor, key });
      open.terminal.mark(`guest joined: ${name}`);
      await record(actor, open.linkId, { guestJoined: name, interactive });
      return key;
    },
  };

  return {
    guests,

    list(linkId: number): ResultOf<Endpoints['listTerminals']> {
      return { items: terminals.of(linkId).map(rowOf) };
    },

    /** @param token the cookie of the session */
    async watch(caller: Caller, token: string, linkId: number, terminalId: number): Promise<{ key: string }> {
      const open = openTerminal(linkId, terminalId);
      const watchers = open.audience.seats().filter(({ viewer }) => viewer.kind === 'watcher').length;
      if (watchers >= MAX_WATCHERS) throw new Problem('watchersFull', { values: { most: MAX_WATCHERS } });
      const unsubscribe = bus.subscribe(sessionEnded(caller.sessionId), () => seat.leave('signedOut'));
      const viewer = { kind: 'watcher', id: caller.userId, name: caller.userName, interactive: false } as const;
      const seat = open.audience.add(viewer, () => {
        unsubscribe();
        terminals.forget(key);
      });
      const key = terminals.admit({ name: TOKEN_COOKIE, value: token }, seat.connect);
      try {
        await record(caller, linkId, { watched: open.host.userName });
      } catch (error) {
        seat.leave('removed');
        throw error;
      }
      return { key };
    },

    async end(caller: Caller, linkId: number, terminalId: number): Promise<null> {
      const open = openTerminal(linkId, terminalId);
      await record(caller, linkId, { terminalEnded: open.host.userName });
      await open.terminal.end('ended');
      return null;
    },

    async invite(
      caller: Caller,
      linkId: number,
      terminalId: number,
      { interactive, minutes, recipient = '' }: BodyOf<Endpoints['inviteGuest']>,
    ): Promise<WithDates<ShareRow>> {
      const open = openTerminal(linkId, terminalId);
      const link = await findLink(db, linkId);
      if (!link) throw notFound('link');
      if (open.host.userId !== caller.userId) throw new Problem('guestNotOwn');
      if ((await shares.countOpen({ terminalId })) >= MAX_GUESTS)
        throw new Problem('guestsFull', { values: { most: MAX_GUESTS } });
      const until = new Date(Math.min(link.until.getTime(), clock.now().getTime() + minutes * MINUTE_MS));
      return await shares.invite(caller, {
        ...{ terminalId, customerId: link.customerId, interactive, until, recipient },
      });
    },

    async change(caller: Caller, linkId: number, shareId: number, interactive: boolean): Promise<null> {
      if ((await inviter(linkId, shareId)) !== caller.userId) throw new Problem('guestNotOwn');
      await shares.setInteractive(caller, shareId, interactive);
      await checkGuest(shareId);
      return null;
    },

    async remove(caller: Caller, linkId: number, shareId: number): Promise<null> {
      await inviter(linkId, shareId);
      await shares.destroy(caller, shareId);
      await checkGuest(shareId);
      return null;
    },

    /** A terminal was opened or has ended, or somebody sees it or does not any more. */
    changed(linkId: number, { id, ended }: { id: number; ended: boolean }): void {
      // Its guests have left with it.
      if (ended) later(shares.endOf({ terminalId: id }));
      later(findLink(db, linkId).then((link) => link && announce(link)));
    },

    /** The users who watch terminals of a link. */
    watchers(linkId: number): { userId: number; leave(): void }[] {
      return terminals
        .of(linkId)
        .flatMap(({ audience }) =>
          audience
            .seats()
            .flatMap(({ viewer, leave }) =>
              viewer.kind === 'watcher' ? [{ userId: viewer.id, leave: () => leave('removed') }] : [],
            ),
        );
    },

    async stop(): Promise<void> {
      leave();
      await Promise.all(pending);
    },
  };
}

function rowOf({ terminal, userName, host, startedAt, audience }: OpenTerminal): WithDates<OpenTerminalRow> {
  const { size, typed, hostConnected } = audience.facts();
  return {
    ...{ id: terminal.id, userName, host: host.userName, hostConnected, ...size },
    startedAt,
    typed: typed && { name: typed.name, at: typed.at },
    people: audience.people(),
  };
}
