import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  LINK_RULES,
  type LinkEvent,
  linkUser,
  newTask,
  nextTask,
  readLinkUser,
  TICKET_BYTES,
  TICKET_SECONDS,
  type TicketFault,
  ticketFault,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import type { LinkCalls, LinkCommands } from '../ports/devices/links.ts';
import type { Events } from '../ports/events.ts';
import type { AdmittedLink } from './gateway/ssh-gateway.ts';
import type { LinkKeys } from './link-keys.ts';
import { type LinkRecord, lockLink } from './links.store.ts';

export interface LinkChangesParts {
  db: Kysely<Database>;
  clock: Clock;
  /** of this process; null: it has no lease */
  epoch: number | null;
  events: Events;
  commands: LinkCommands;
  log: Log;
  /** closes what uses a link that has ended */
  close(linkId: number): void;
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
}

export type LinkChanges = ReturnType<typeof linkChanges>;

/** The changes of the state of links, and their tickets. */
export function linkChanges(parts: LinkChangesParts) {
  const { db, clock, events, commands, log, close, traffic } = parts;

  function announce({ id, customerId, siteId }: Pick<LinkRecord, 'id' | 'customerId' | 'siteId'>): void {
    events.publish('link.changed', { id }, { customerId, siteId });
  }

  /** Queues control 8 for a device that got the ticket. Returns the execution; null when nothing has to be sent. */
  async function stopCommand(trx: Parameters<LinkCommands['begin']>[0], link: LinkRecord): Promise<string | null> {
    if (link.deviceId === null || link.siteId === null || link.ticketUntil === null) return null;
    const by = { userId: link.requestedBy, userName: link.requestedByName };
    try {
      return await commands.begin(trx, by, { id: link.deviceId, siteId: link.siteId }, 'stopVpn');
    } catch (error) {
      // Its connection is closed anyway.
      if (!(error instanceof Problem)) throw error;
      return null;
    }
  }

  return {
    announce,

    /**
     * Applies an event to a link.
     * @returns the link before it; null when it changed nothing
     */
    async apply(
      linkId: number,
      event: LinkEvent,
      more: { detail?: string | null; endedBy?: string; tellDevice?: boolean } = {},
      within?: (trx: Parameters<LinkCommands['begin']>[0], link: LinkRecord) => Promise<void>,
    ): Promise<LinkRecord | null> {
      const { detail = null, endedBy = null } = more;
      // A device that closed its connection needs no command to close it.
      const tellDevice = more.tellDevice ?? event.type === 'ended';
      const changed = await db.transaction().execute(async (trx) => {
        const link = await lockLink(trx, linkId);
        const next = link && nextTask(LINK_RULES, { ...newTask(link.state), reason: link.end }, event);
        if (!link || !next) return null;
        const now = clock.now();
        const ends = next.state === 'ended';
        const stop = ends && tellDevice ? await stopCommand(trx, link) : null;
        await trx
          .updateTable('links')
          .set({
            state: next.state,
            ...(next.state === 'open' ? { opened_at: now, node: parts.epoch } : {}),
            ...(ends
              ? {
                  end_reason: next.reason,
                  end_detail: detail,
                  ended_by_name: endedBy,
                  ended_at: now,
                  stop_execution: stop,
                }
              : {}),
          })
          .where('id', '=', linkId)
          .execute();
        const bytes = ends ? traffic(linkId) : null;
        if (bytes) {
          await trx
            .updateTable('links')
            .set({ bytes_in: bytes.bytesIn, bytes_out: bytes.bytesOut })
            .where('id', '=', linkId)
            .execute();
        }
        if (link.startExecution !== null && link.state !== 'open' && (ends || next.state === 'open')) {
          await commands.settle(trx, link.startExecution, next.state === 'open');
        }
        await within?.(trx, link);
        return { link, ends, stop };
      });
      if (!changed) return null;
      if (changed.ends) close(linkId);
      announce(changed.link);
      if (changed.link.deviceId !== null) events.publish('device.executions', { id: changed.link.deviceId });
      if (changed.stop !== null && changed.link.deviceId !== null) await commands.send(changed.link.deviceId);
      return changed.link;
    },

    /** Uses the ticket of a device. */
    async admit(attempt: { user: string; ticket: string; address: string }): Promise<AdmittedLink | TicketFault> {
      const named = readLinkUser(attempt.user);
      const given = hashOf(attempt.ticket);
      return await db.transaction().execute(async (trx) => {
        const link = named && (await lockLink(trx, named.linkId));
        if (!link) return 'wrong';
        const matches =
          link.deviceSn === named.sn && link.ticketHash !== null && timingSafeEqual(link.ticketHash, given);
        const { state, ticketUsedAt: usedAt, ticketUntil: until } = link;
        const fault = ticketFault({ matches, state, usedAt, until }, clock.now());
        if (fault) return fault;
        const shellUser = link.kind === 'ssh' ? named.shellUser : null;
        const used = { ticket_used_at: clock.now(), address: attempt.address, shell_user: shellUser };
        await trx.updateTable('links').set(used).where('id', '=', link.id).execute();
        return { linkId: link.id, ports: [link.port] };
      });
    },

    /** Logs what fails in work that no caller waits for. */
    later(work: Promise<unknown>): void {
      work.catch((error: Error) => log.error({ err: error }, 'the state of a link could not be stored'));
    },
  };
}

/** Creates the parameters of controls 7 and 8 when they are sent, with a new ticket of which only the hash is stored. */
export function linkCalls(parts: {
  db: Kysely<Database>;
  clock: Clock;
  keys: Pick<LinkKeys, 'create'>;
  /** host and port for devices, and the public keys; null while the server does not listen */
  server(): { host: string; port: number; hostKey: string; hostKeys: readonly string[] } | null;
}): LinkCalls {
  const { db, clock, keys, server } = parts;
  return {
    async paramsOf(executionId) {
      const of = (column: 'start_execution' | 'stop_execution') =>
        db.selectFrom('links').selectAll().where(column, '=', executionId).executeTakeFirst();
      const link = await of('start_execution');
      if (!link) {
        const stopped = await of('stop_execution');
        return stopped ? { link: stopped.id } : null;
      }
      const address = server();
      const ticket = randomBytes(TICKET_BYTES).toString('base64url');
      const { numUpdatedRows } = await db
        .updateTable('links')
        .set({ ticket_hash: hashOf(ticket), ticket_until: new Date(clock.now().getTime() + TICKET_SECONDS * 1_000) })
        .where('id', '=', link.id)
        .where('state', '<>', 'ended')
        .where('ticket_hash', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n || !address) return 'over';
      return {
        ...{ link: link.id, ...address, user: linkUser(link.device_sn, link.id), ticket },
        forwards: [{ listen: link.port, to: `127.0.0.1:${link.port}` }],
        endsAt: link.until.toISOString(),
        seconds: Math.max(0, Math.ceil((link.until.getTime() - clock.now().getTime()) / 1_000)),
        ...(link.kind === 'ssh' ? { authorizedKey: keys.create(link.id) } : {}),
      };
    },
  };
}

/** SHA-256 is enough for a ticket of 192 random bits. */
function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
