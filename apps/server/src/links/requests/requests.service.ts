import type { BodyOf, LinkRow, linkEndpoints, ResultOf, WithDates } from '@chargehand/contract';
import { CODES, messageOf } from '@chargehand/contract';
import {
  APPROVAL_MINUTES,
  allowedMinutesLeft,
  DEFAULT_LINK_MINUTES,
  DEFAULT_ZONE,
  LINK_KINDS,
  type LinkKind,
  type LinkPolicy,
  type LinkRefusal,
  linkPort,
  linkRefusal,
  linkUntil,
  MAX_LINK_MINUTES,
  MAX_LINKS_OF_DEVICE,
  OPEN_POLICY,
  permitsLink,
  zoneOffset,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { LinkCommands } from '../../ports/devices/links.ts';
import type { LinkChanges } from '../link-changes.ts';
import type { LinksService } from '../links.service.ts';
import {
  findLink,
  findLinkDevice,
  insertLink,
  isIssueOf,
  type LinkDevice,
  lockLink,
  updateLink,
} from '../links.store.ts';
import { findLinkPolicy } from '../policies/policies.store.ts';
import { valuesOf } from '../policies/policy-values.ts';
import { deviceOf, record } from './link-row.ts';

type Endpoints = typeof linkEndpoints;
export type RequestsService = ReturnType<typeof requestsService>;

const MINUTE_MS = 60_000;

/** Requests links, approves and ends them. */
export function requestsService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  commands: LinkCommands;
  changes: LinkChanges;
  links: Pick<LinksService, 'read' | 'rowNow'>;
  /** web pages of devices are on */
  hasPages: boolean;
  /** this process or another one accepts devices */
  listens(): boolean;
}) {
  const { db, clock, commands, changes, links, hasPages, listens } = parts;

  /** @throws {Problem} the rule that forbids a link of this kind now */
  async function requirePermitted(db: Kysely<Database>, device: LinkDevice, kind: LinkKind): Promise<LinkPolicy> {
    if (!listens()) throw new Problem('linksClosed');
    if (kind === 'web' && !hasPages) throw new Problem('pagesOff');
    const policy = (await findLinkPolicy(db, device.customerId)) ?? OPEN_POLICY;
    const refusal = linkRefusal({ ...device, kind, policy, minuteOfDay: minuteOfDay(clock.now()) });
    if (refusal) throw problemOf(refusal, device, policy);
    return policy;
  }

  /** Creates a link, and queues control 7 unless a second person must approve it. */
  async function create(
    trx: Transaction<Database>,
    caller: Caller,
    deviceId: number,
    entered: BodyOf<Endpoints['requestLink']>,
  ): Promise<{ id: number; sent: boolean }> {
    const { kind, issueId = null, minutes = DEFAULT_LINK_MINUTES, port = linkPort(kind) } = entered;
    const device = await findLinkDevice(caller.scope, trx, deviceId);
    if (!device) throw notFound('device');
    const policy = await requirePermitted(trx, device, kind);
    if (issueId !== null && !(await isIssueOf(trx, issueId, deviceId))) throw notFound('issue');
    const now = clock.now();
    const reason = entered.reason.trim();
    if (reason === '') throw new Problem('fieldRequired', { field: 'reason' });
    const approvalUntil = policy.secondPerson ? new Date(now.getTime() + APPROVAL_MINUTES * MINUTE_MS) : null;
    const until = linkUntil({ policy, minuteOfDay: minuteOfDay(now) }, minutes, approvalUntil ?? now);
    const sent = approvalUntil === null;
    const place = { id: device.id, siteId: device.siteId };
    const execution = sent ? await commands.begin(trx, caller, place, 'startVpn') : null;
    const id = await insertLink(trx, {
      ...{ kind, device_id: device.id, device_sn: device.sn, device_name: device.name },
      ...{ customer_id: device.customerId, site_id: device.siteId, issue_id: issueId, port, reason, minutes, until },
      ...{ requested_by: caller.userId, requested_by_name: caller.userName, requested_at: now },
      ...{ approval_until: approvalUntil, start_execution: execution },
      ...{ control_level: device.controlLevel },
    });
    const waits = sent ? {} : { secondPerson: true };
    await record(trx, caller, device, { kind: 'startVpn', link: kind, reason, minutes, port, ...waits });
    return { id, sent };
  }

  /** Call after the commit of `create`. */
  async function begun(caller: Caller, { id, sent }: { id: number; sent: boolean }): Promise<WithDates<LinkRow>> {
    const link = await findLink(db, id);
    if (!link) throw notFound('link');
    changes.announce(link);
    if (sent && link.deviceId !== null) await commands.send(link.deviceId);
    return links.rowNow(caller, link);
  }

  /**
   * Ends a link.
   * @param after runs in the same transaction
   * @returns what `after` returned; null when the link had ended before
   */
  async function destroy<T = null>(
    caller: Caller,
    id: number,
    after: (trx: Transaction<Database>) => Promise<T | null> = async () => null,
  ): Promise<T | null> {
    const event = { type: 'ended', reason: 'destroyed' } as const;
    let result: T | null = null;
    await changes.apply(id, event, { endedBy: caller.userName }, async (trx, link) => {
      await record(trx, caller, deviceOf(link), { kind: 'stopVpn', link: link.kind });
      result = await after(trx);
    });
    return result;
  }

  return {
    async request(
      caller: Caller,
      deviceId: number,
      entered: BodyOf<Endpoints['requestLink']>,
    ): Promise<WithDates<LinkRow>> {
      return await begun(caller, await db.transaction().execute((trx) => create(trx, caller, deviceId, entered)));
    },

    async options(caller: Caller, deviceId: number): Promise<ResultOf<Endpoints['readLinkOptions']>> {
      const device = await findLinkDevice(caller.scope, db, deviceId);
      if (!device) throw notFound('device');
      const policy = (await findLinkPolicy(db, device.customerId)) ?? OPEN_POLICY;
      const minute = minuteOfDay(clock.now());
      const refusalOf = (kind: LinkKind) => {
        if (caller.readOnly || !permitsLink(caller, kind)) return new Problem('noPermission');
        if (!listens()) return new Problem('linksClosed');
        if (kind === 'web' && !hasPages) return new Problem('pagesOff');
        const refusal = linkRefusal({ ...device, kind, policy, minuteOfDay: minute });
        return refusal && problemOf(refusal, device, policy);
      };
      return {
        kinds: LINK_KINDS.map((kind) => {
          const refusal = refusalOf(kind);
          const { code, values } = refusal ?? {};
          return {
            kind,
            refusal: code ? { code: CODES[code].code, message: messageOf(code, caller.locale, values) } : null,
            port: linkPort(kind),
          };
        }),
        policy: valuesOf(policy),
        defaultMinutes: DEFAULT_LINK_MINUTES,
        maxMinutes: Math.min(MAX_LINK_MINUTES, allowedMinutesLeft(policy, minute) ?? MAX_LINK_MINUTES),
      };
    },

    /** Sends control 7 for a link that waits for a second person. Its time starts now. */
    async approve(caller: Caller, id: number): Promise<WithDates<LinkRow>> {
      await db.transaction().execute(async (trx) => {
        const link = await lockLink(trx, id);
        const now = clock.now();
        if (!link || link.deviceId === null) throw notFound('link');
        if (link.state === 'ended' || link.approvalUntil === null || link.approvalUntil <= now)
          throw new Problem('linkNotWaiting');
        if (link.requestedBy === caller.userId) throw new Problem('linkApprovedBySelf');
        const device = await findLinkDevice(caller.scope, trx, link.deviceId);
        if (!device) throw notFound('device');
        // The link itself is one of the active ones.
        const policy = await requirePermitted(trx, { ...device, active: device.active - 1 }, link.kind);
        const by = { userId: link.requestedBy, userName: link.requestedByName };
        await updateLink(trx, id, {
          start_execution: await commands.begin(trx, by, { id: device.id, siteId: device.siteId }, 'startVpn'),
          approval_until: null,
          approved_by_name: caller.userName,
          until: linkUntil({ policy, minuteOfDay: minuteOfDay(now) }, link.minutes, now),
        });
        await record(trx, caller, device, { kind: 'startVpn', link: link.kind, secondPerson: true });
      });
      return await begun(caller, { id, sent: true });
    },

    /**
     * Ends a link, and requests the same one again in the name of the caller, in one transaction: a link that may not be
     * requested now stays as it is.
     */
    async restart(caller: Caller, id: number): Promise<WithDates<LinkRow>> {
      const link = await findLink(db, id);
      if (!link || link.deviceId === null) throw notFound('link');
      const { kind, reason, issueId, minutes, port, deviceId } = link;
      const again = { kind, reason, minutes, port, ...(issueId === null ? {} : { issueId }) };
      const next = await destroy(caller, id, (trx) => create(trx, caller, deviceId, again));
      return await begun(
        caller,
        next ?? (await db.transaction().execute((trx) => create(trx, caller, deviceId, again))),
      );
    },

    /** Ends a link. Ending it again changes nothing. */
    async destroy(caller: Caller, id: number): Promise<WithDates<LinkRow>> {
      await destroy(caller, id);
      return await links.read(caller, id);
    },
  };
}

function problemOf(refusal: LinkRefusal, { modelName }: LinkDevice, policy: LinkPolicy): Problem {
  const { from = '', until = '' } = valuesOf(policy).hours ?? {};
  return new Problem(refusal, { values: { model: modelName, most: MAX_LINKS_OF_DEVICE, from, until } });
}

/** The minute of the day in the zone of the fleet. */
function minuteOfDay(now: Date): number {
  const local = now.getTime() + zoneOffset(now.getTime(), DEFAULT_ZONE);
  return Math.floor(local / MINUTE_MS) % (24 * 60);
}
