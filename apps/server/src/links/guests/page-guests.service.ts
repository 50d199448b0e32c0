import type { BodyOf, linkEndpoints, PageGuest as PageGuestRow, ShareRow, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import type { GuestPages, GuestShares, JoiningPageGuest } from '../../ports/devices/link-guests.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import { findLink, type LinkRecord } from '../links.store.ts';
import { deviceCookies } from '../web/cookies.ts';
import type { PageGuest } from '../web/device-proxy.ts';
import { deviceOriginOf } from '../web/headers.ts';
import type { Pages } from '../web/pages.ts';

export type PageGuestsService = ReturnType<typeof pageGuestsService>;

/** Guests and unused invitations of the web pages of one link. */
const MAX_GUESTS = 5;
const MINUTE_MS = 60_000;
/** How long guests stay without the user who invited them. */
const AWAY_MS = MINUTE_MS;
const CHECK_MS = 1_000;

/** The user who has invited guests to the pages of their link. */
interface Host {
  sessionId: string;
  /** when their console was last open, or they used the pages */
  seenAt: number;
  leave(): void;
}

interface Guest {
  linkId: number;
  visitor: string;
  row: PageGuestRow;
  page: PageGuest;
  /** Called when the guest may not use the pages any more. */
  ends: Set<() => void>;
  leave(): void;
}

/** Guests in the web pages of links. They stay as long as the user who invited them. */
export function pageGuestsService(parts: {
  db: Kysely<Database>;
  bus: Bus;
  clock: Clock;
  log: Log;
  /** null: web pages of devices are off */
  pages: Pick<Pages, 'open' | 'reaches' | 'usedAt'> | null;
  shares: GuestShares;
  /** the console of a session is open in a browser */
  isPresent(sessionId: string): boolean;
  announce(link: LinkRecord): void;
}) {
  const { db, bus, clock, log, pages, shares, isPresent, announce } = parts;
  const pending = new Set<Promise<unknown>>();
  /** by link */
  const hosts = new Map<number, Host>();
  /** by share */
  const joined = new Map<number, Guest>();
  const now = () => clock.now().getTime();

  /** Does what no caller waits for. */
  const later = (work: Promise<unknown>) => {
    const caught = work
      .catch((error: unknown) => log.error({ err: error }, 'a guest of web pages could not be logged or checked'))
      .finally(() => pending.delete(caught));
    pending.add(caught);
  };
  const announceLater = (linkId: number) => later(findLink(db, linkId).then((link) => link && announce(link)));

  async function record(address: string, linkId: number, after: object): Promise<void> {
    const link = await findLink(db, linkId);
    if (!link) return;
    await logAction(
      db,
      { userId: null, userName: '', address },
      {
        ...{ operation: 'control', objectType: 'device', objectId: String(link.deviceId ?? '') },
        ...{ objectName: link.deviceName, customerId: link.customerId, siteId: link.siteId },
        after: { link: link.kind, ...after },
      },
    );
  }

  /** @throws {Problem} linkNotOpen, guestNotOwn */
  async function ownLink(caller: Caller, linkId: number): Promise<LinkRecord> {
    const link = await findLink(db, linkId);
    if (link?.state !== 'open' || link.kind !== 'web') throw new Problem('linkNotOpen');
    if (link.requestedBy !== caller.userId) throw new Problem('guestNotOwn');
    return link;
  }

  /** The guests of a link stay while this session is present. */
  function accompany(linkId: number, sessionId: string): void {
    hosts.get(linkId)?.leave();
    const leave = bus.subscribe(sessionEnded(sessionId), () => endOf(linkId));
    hosts.set(linkId, { sessionId, seenAt: now(), leave });
  }

  function isHere(linkId: number, { sessionId }: Host): boolean {
    const usedAt = pages?.usedAt(linkId) ?? null;
    return isPresent(sessionId) || (usedAt !== null && now() - usedAt < AWAY_MS);
  }

  /** Ends the access of all guests to the pages of a link, and their invitations. */
  function endOf(linkId: number): void {
    const host = hosts.get(linkId);
    if (!host) return;
    hosts.delete(linkId);
    host.leave();
    for (const guest of [...joined.values()]) if (guest.linkId === linkId) guest.leave();
    later(shares.endOf({ pagesOf: linkId }));
    announceLater(linkId);
  }

  async function check(): Promise<void> {
    for (const [linkId, host] of hosts) {
      if (isHere(linkId, host)) host.seenAt = now();
      else if (now() - host.seenAt >= AWAY_MS) endOf(linkId);
    }
  }
  const checking = clock.repeat(check, {
    job: 'linkPageUsers',
    everyMs: CHECK_MS,
    log,
    failed: 'the users of web pages could not be checked; trying again at once',
  });

  /** A share was changed, locked or destroyed. */
  async function checkGuest(shareId: number): Promise<void> {
    const guest = joined.get(shareId);
    if (!guest) return;
    try {
      const share = await shares.find(shareId);
      if (!share?.open) return guest.leave();
      if (guest.row.interactive === share.interactive) return;
      guest.row.interactive = share.interactive;
      announceLater(guest.linkId);
    } catch (error) {
      // Without the state of the invitation, the guest must not stay.
      guest.leave();
      throw error;
    }
  }
  const unsubscribe = bus.subscribe('share.changed', ({ shareId }) => later(checkGuest(shareId)));

  function addGuest(entered: JoiningPageGuest, port: number): Guest {
    const { shareId, linkId, name, address, interactive, hostSession, until, visitor } = entered;
    const ends = new Set<() => void>();
    const row: PageGuestRow = { id: shareId, name, interactive, hostSession };
    const guest: Guest = {
      ...{ linkId, visitor, row, ends },
      page: {
        name,
        cookies: hostSession ? null : deviceCookies(deviceOriginOf(port)),
        refusal() {
          if (!row.interactive) return 'readOnly';
          const host = hosts.get(linkId);
          return host && isHere(linkId, host) ? null : 'hostAway';
        },
      },
      leave() {
        if (joined.get(shareId) !== guest) return;
        joined.delete(shareId);
        cancel();
        for (const end of [...ends]) end();
        later(record(address, linkId, { guestLeft: name }));
        announceLater(linkId);
      },
    };
    const cancel = until === null ? () => undefined : clock.after(until.getTime() - now(), guest.leave);
    joined.set(shareId, guest);
    return guest;
  }

  const guests: GuestPages = {
    isOpen: (linkId) => hosts.has(linkId),

    async join(entered: JoiningPageGuest) {
      const { shareId, linkId, name, address, visitor, locale, origin } = entered;
      const link = await findLink(db, linkId);
      if (link?.state !== 'open' || !hosts.has(linkId)) throw new Problem('linkNotOpen');
      if (!pages?.reaches(origin)) throw new Problem('pagesOff');
      let guest = joined.get(shareId);
      if (guest && guest.visitor !== visitor) throw new Problem('guestTaken');
      if (guest?.row.name !== name) {
        guest?.leave();
        guest = addGuest(entered, link.port);
        const { interactive, hostSession } = guest.row;
        await record(address, linkId, { guestJoined: name, interactive, hostSession });
        announce(link);
      }
      const { ends, page } = guest;
      return pages.open(
        { linkId, port: link.port, origin },
        {
          ...{ locale, guest: page },
          watch(end) {
            ends.add(end);
            return () => ends.delete(end);
          },
        },
      );
    },
  };

  return {
    guests,
    endOf,
    checkGuest,

    list(linkId: number): { items: PageGuestRow[] } {
      const items = [...joined.values()].filter((guest) => guest.linkId === linkId).map(({ row }) => ({ ...row }));
      return { items };
    },

    async invite(
      caller: Caller,
      origin: URL,
      linkId: number,
      { interactive, hostSession, minutes, recipient = '' }: BodyOf<(typeof linkEndpoints)['invitePageGuest']>,
    ): Promise<WithDates<ShareRow>> {
      const link = await ownLink(caller, linkId);
      if (!pages?.reaches(origin)) throw new Problem('pagesOff');
      if ((await shares.countOpen({ pagesOf: linkId })) >= MAX_GUESTS)
        throw new Problem('guestsFull', { values: { most: MAX_GUESTS } });
      accompany(linkId, caller.sessionId);
      const until = new Date(Math.min(link.until.getTime(), now() + minutes * MINUTE_MS));
      return await shares.invite(caller, {
        ...{ pagesOf: linkId, customerId: link.customerId, interactive, hostSession, until, recipient },
      });
    },

    start: () => checking.startLater(),

    async stop(): Promise<void> {
      await checking.stop();
      unsubscribe();
      for (const { leave } of hosts.values()) leave();
      await Promise.all(pending);
    },
  };
}
