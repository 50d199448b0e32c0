import type { AnswerOf, BodyOf, LinkPolicyValues, LinkRow, linkEndpoints, QueryOf } from '@chargehand/contract';
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
import { logAction } from '../audit/index.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { dayStamp } from '../platform/http/serve/attachment.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { LinkCommands } from '../ports/devices/links.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';
import { sessionEnded } from '../ports/sessions.ts';
import { listActivity } from './activity/activity.store.ts';
import { activityFile, activityRow } from './activity/activity-file.ts';
import type { LinkChanges } from './link-changes.ts';
import type { LinkKeys } from './link-keys.ts';
import {
  findLink,
  findLinkDevice,
  findLinkPolicy,
  isIssueOf,
  type LinkDevice,
  type LinkRecord,
  listLinks,
  lockLink,
  writeLinkPolicy,
} from './links.store.ts';
import type { TerminalSignIn } from './terminal/device-sign-in.ts';
import { castOf } from './terminal/recorder.ts';
import { findRecording, listRecordings } from './terminal/recordings.store.ts';
import type { Terminals } from './terminal/terminals.ts';
import type { Pages } from './web/pages.ts';

type Endpoints = typeof linkEndpoints;
export type LinksService = ReturnType<typeof linksService>;

/** The rights of a user who may request links now; null when they may not. */
export type LinkRights = (
  userId: number,
) => Promise<Pick<Caller, 'root' | 'readOnly' | 'remoteAccess' | 'scope' | 'levels'> | null>;

/** Links in one part of a list. */
const LINKS = 50;
const ACTIVITIES = 100;
const MINUTE_MS = 60_000;

/** Links to devices, for their users. */
export function linksService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  commands: LinkCommands;
  changes: LinkChanges;
  sealed: Pick<SealedFields, 'open'>;
  /** encrypts what was typed */
  box: SecretBox;
  terminals: Pick<Terminals, 'open'>;
  keys: Pick<LinkKeys, 'find'>;
  /** null: web pages of devices are off */
  pages: Pick<Pages, 'open' | 'reaches'> | null;
  bus: Bus;
  /** this process or another one accepts devices */
  listens(): boolean;
  /** of an open link until now */
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
}) {
  const { db, clock, commands, changes, sealed, box, terminals, keys, pages, bus, listens } = parts;

  const rowNow = (caller: Caller, link: LinkRecord) => rowOf(caller, { ...link, ...parts.traffic(link.id) });

  async function row(caller: Caller, id: number): Promise<LinkRow> {
    const link = await findLink(db, id);
    if (!link) throw notFound('link');
    return rowNow(caller, link);
  }

  /** @throws {Problem} the rule that forbids a link of this kind now */
  async function requirePermitted(db: Kysely<Database>, device: LinkDevice, kind: LinkKind): Promise<LinkPolicy> {
    if (!listens()) throw new Problem('linksClosed');
    if (kind === 'web' && !pages) throw new Problem('pagesOff');
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
    const { id } = await trx
      .insertInto('links')
      .values({
        ...{ kind, device_id: device.id, device_sn: device.sn, device_name: device.name },
        ...{ customer_id: device.customerId, site_id: device.siteId, issue_id: issueId, port, reason, minutes, until },
        ...{ requested_by: caller.userId, requested_by_name: caller.userName, requested_at: now },
        ...{ approval_until: approvalUntil, start_execution: execution },
        ...{ control_level: device.controlLevel },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const waits = sent ? {} : { secondPerson: true };
    await record(trx, caller, device, { kind: 'startVpn', link: kind, reason, minutes, port, ...waits });
    return { id, sent };
  }

  /** Call after the commit of `create`. */
  async function begun(caller: Caller, { id, sent }: { id: number; sent: boolean }): Promise<LinkRow> {
    const link = await findLink(db, id);
    if (!link) throw notFound('link');
    changes.announce(link);
    if (sent && link.deviceId !== null) await commands.send(link.deviceId);
    return rowNow(caller, link);
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

  /** The entered user and password; without a user, the one who accepts the key of the link. */
  async function signInOf(link: LinkRecord, entered: BodyOf<Endpoints['openTerminal']>): Promise<TerminalSignIn> {
    const { userName, password } = entered;
    if (userName === undefined) {
      const privateKey = keys.find(link.id);
      if (link.shellUser === null || privateKey === null) throw new Problem('fieldRequired', { field: 'userName' });
      return { userName: link.shellUser, privateKey };
    }
    if (password === undefined) throw new Problem('fieldRequired', { field: 'password' });
    return { userName, password: await sealed.open('password', password) };
  }

  return {
    async request(caller: Caller, deviceId: number, entered: BodyOf<Endpoints['requestLink']>): Promise<LinkRow> {
      return await begun(caller, await db.transaction().execute((trx) => create(trx, caller, deviceId, entered)));
    },

    async options(caller: Caller, deviceId: number): Promise<AnswerOf<Endpoints['readLinkOptions']>> {
      const device = await findLinkDevice(caller.scope, db, deviceId);
      if (!device) throw notFound('device');
      const policy = (await findLinkPolicy(db, device.customerId)) ?? OPEN_POLICY;
      const minute = minuteOfDay(clock.now());
      const refusalOf = (kind: LinkKind) => {
        if (caller.readOnly || !permitsLink(caller, kind)) return new Problem('noPermission');
        if (!listens()) return new Problem('linksClosed');
        if (kind === 'web' && !pages) return new Problem('pagesOff');
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

    async list(caller: Caller, query: QueryOf<Endpoints['listLinks']>): Promise<AnswerOf<Endpoints['listLinks']>> {
      const { ended = false, deviceId, siteId, issueId, before, kind, user, from, to, recorded } = query;
      const filters = { ended, deviceId, siteId, issueId, before, kind, user, from, to, recorded };
      const links = await listLinks(caller.scope, db, filters, LINKS);
      return {
        items: links.map((link) => rowNow(caller, link)),
        next: links.length === LINKS ? (links.at(-1)?.id ?? null) : null,
      };
    },

    read: row,

    /** Sends control 7 for a link that waits for a second person. Its time starts now. */
    async approve(caller: Caller, id: number): Promise<LinkRow> {
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
        await trx
          .updateTable('links')
          .set({
            start_execution: await commands.begin(trx, by, { id: device.id, siteId: device.siteId }, 'startVpn'),
            approval_until: null,
            approved_by_name: caller.userName,
            until: linkUntil({ policy, minuteOfDay: minuteOfDay(now) }, link.minutes, now),
          })
          .where('id', '=', id)
          .execute();
        await record(trx, caller, device, { kind: 'startVpn', link: link.kind, secondPerson: true });
      });
      return await begun(caller, { id, sent: true });
    },

    /**
     * Ends a link, and requests the same one again in the name of the caller, in one transaction: a link that may not be
     * requested now stays as it is.
     */
    async restart(caller: Caller, id: number): Promise<LinkRow> {
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

    /**
     * Opens a terminal in an open link, for the user who requested it.
     * @param token the cookie of the session
     */
    async openTerminal(
      caller: Caller,
      token: string,
      id: number,
      entered: BodyOf<Endpoints['openTerminal']>,
    ): Promise<AnswerOf<Endpoints['openTerminal']>> {
      const link = await findLink(db, id);
      if (link?.state !== 'open' || link.kind !== 'ssh') throw new Problem('linkNotOpen');
      if (link.requestedBy !== caller.userId) throw new Problem('noPermission');
      const { cols, rows } = entered;
      const target = { linkId: id, port: link.port };
      const signIn = await signInOf(link, entered);
      return await terminals.open(caller, token, target, { ...signIn, size: { cols, rows } });
    },

    /**
     * The address of the web pages of a device in an open link, for the user who requested it. They end with the session
     * of the caller.
     * @param origin the origin of the console in the browser
     */
    async openPages(caller: Caller, origin: URL, id: number): Promise<{ url: string }> {
      const link = await findLink(db, id);
      if (link?.state !== 'open' || link.kind !== 'web') throw new Problem('linkNotOpen');
      if (link.requestedBy !== caller.userId) throw new Problem('noPermission');
      if (!pages?.reaches(origin)) throw new Problem('pagesOff');
      const watch = (end: () => void) => bus.subscribe(sessionEnded(caller.sessionId), end);
      return { url: pages.open({ linkId: id, port: link.port, origin }, { locale: caller.locale, watch }) };
    },

    async activity(
      linkId: number,
      { before, kind, search }: QueryOf<Endpoints['listLinkActivity']>,
    ): Promise<AnswerOf<Endpoints['listLinkActivity']>> {
      const records = await listActivity(db, linkId, { before, kind, search }, ACTIVITIES);
      return {
        items: records.map(activityRow),
        next: records.length === ACTIVITIES ? (records.at(-1)?.number ?? null) : null,
      };
    },

    /** All activity of a link that the filters leave, oldest first, as a file. */
    async activityFile(
      caller: Caller,
      linkId: number,
      { format, kind, search }: QueryOf<Endpoints['exportLinkActivity']>,
    ): Promise<{ name: string; type: string; parts: AsyncIterable<string> }> {
      const link = await findLink(db, linkId);
      if (!link) throw notFound('link');
      await db.transaction().execute(async (trx) => {
        await record(trx, caller, deviceOf(link), { link: link.kind, recording: 'activity' });
      });
      const name = `${link.deviceSn} ${dayStamp(link.requestedAt)} activity.${format}`;
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
      return { name, type, parts: activityFile(db, linkId, format, { kind, search }) };
    },

    async recordings(linkId: number): Promise<AnswerOf<Endpoints['listRecordings']>> {
      const items = await listRecordings(db, linkId);
      return {
        items: items.map((one) => ({
          ...one,
          startedAt: one.startedAt.toISOString(),
          endedAt: one.endedAt?.toISOString() ?? null,
        })),
      };
    },

    /** What a terminal showed, or what was typed, as a file. */
    async recording(
      caller: Caller,
      linkId: number,
      id: number,
      content: 'output' | 'input',
    ): Promise<{ name: string; lines: AsyncIterable<string> }> {
      const link = await findLink(db, linkId);
      const recording = link && (await findRecording(db, linkId, id));
      if (!recording) throw notFound('linkRecording');
      await db.transaction().execute(async (trx) => {
        await record(trx, caller, deviceOf(link), { link: link.kind, recording: content });
      });
      const name = `${link.deviceSn} ${dayStamp(recording.startedAt)} ${content}.cast`;
      return { name, lines: castOf({ db, box }, recording, content) };
    },

    /** Ends a link. Ending it again changes nothing. */
    async destroy(caller: Caller, id: number): Promise<LinkRow> {
      await destroy(caller, id);
      return await row(caller, id);
    },

    async policy(customerId: number): Promise<LinkPolicyValues> {
      return valuesOf((await findLinkPolicy(db, customerId)) ?? OPEN_POLICY);
    },

    async setPolicy(caller: Caller, customerId: number, values: LinkPolicyValues): Promise<LinkPolicyValues> {
      await db.transaction().execute(async (trx) => {
        const customer = await trx
          .selectFrom('customers')
          .select('name')
          .where('id', '=', customerId)
          .forUpdate()
          .executeTakeFirst();
        if (!customer) throw notFound('customer');
        const before = valuesOf((await findLinkPolicy(trx, customerId)) ?? OPEN_POLICY);
        await writeLinkPolicy(trx, customerId, policyOf(values));
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'customer', objectId: String(customerId), objectName: customer.name },
          ...{ customerId, siteId: null, before: loggedPolicy(before), after: loggedPolicy(values) },
        });
      });
      return values;
    },
  };
}

type LoggedDevice = Pick<LinkDevice, 'name' | 'customerId'> & { id: number | null; siteId: number | null };

function deviceOf({ deviceId, deviceName, customerId, siteId }: LinkRecord): LoggedDevice {
  return { id: deviceId, name: deviceName, customerId, siteId };
}

function record(trx: Transaction<Database>, caller: Caller, device: LoggedDevice, after: object): Promise<void> {
  return logAction(trx, caller, {
    ...{ operation: 'control', objectType: 'device', objectId: String(device.id ?? ''), objectName: device.name },
    ...{ customerId: device.customerId, siteId: device.siteId, after },
  });
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

function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function valuesOf({ secondPerson, hours, web }: LinkPolicy): LinkPolicyValues {
  return { secondPerson, hours: hours && { from: timeOf(hours.from), until: timeOf(hours.until) }, web };
}

function policyOf({ secondPerson, hours, web }: LinkPolicyValues): LinkPolicy {
  return { secondPerson, hours: hours && { from: minuteOf(hours.from), until: minuteOf(hours.until) }, web };
}

function loggedPolicy({ secondPerson, hours, web }: LinkPolicyValues): object {
  return { secondPerson, hours: hours ? `${hours.from}-${hours.until}` : '', web };
}

function rowOf(caller: Caller, link: LinkRecord): LinkRow {
  return {
    id: link.id,
    kind: link.kind,
    device: { id: link.deviceId, sn: link.deviceSn, name: link.deviceName },
    customerId: link.customerId,
    siteId: link.siteId,
    port: link.port,
    reason: link.reason,
    issueId: link.issueId,
    state: link.state,
    end: link.end,
    endDetail: link.endDetail,
    endedBy: link.endedByName,
    requestedBy: link.requestedByName,
    own: link.requestedBy === caller.userId,
    requestedAt: link.requestedAt.toISOString(),
    minutes: link.minutes,
    until: link.until.toISOString(),
    approval: { needed: link.approvalUntil !== null || link.approvedByName !== null, by: link.approvedByName },
    openedAt: link.openedAt?.toISOString() ?? null,
    endedAt: link.endedAt?.toISOString() ?? null,
    address: link.address,
    shellUser: link.shellUser,
    bytesIn: link.bytesIn,
    bytesOut: link.bytesOut,
    recordings: link.recordings,
    executionId: link.startExecution,
  };
}
