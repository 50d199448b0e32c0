import { statfs } from 'node:fs/promises';
import { isNearlyFull, type SystemEvent } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { announce } from '../ports/notices.ts';

/** A condition of the installation, and whether it holds. */
export interface Condition {
  event: SystemEvent;
  /** unique within the event */
  key: string;
  holds: boolean;
  data: Readonly<Record<string, string | number>>;
}

const CHECK_MS = 5 * 60_000;
/** The settings whose certificates are watched. */
const CERTIFICATES = ['data/tls', 'CHARGEHAND_TLS_CERT', 'CHARGEHAND_TLS_CLIENT_CA', 'CHARGEHAND_OCPP_SIGNING_CERT'];

/** Announces when conditions of the installation begin and end, also those that ended while no process was running. */
export function systemNotices(parts: {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  conditions(): Promise<readonly Condition[]>;
}): Room & { check(): Promise<void> } {
  const { db, clock, log, conditions } = parts;
  const known = new Map<string, boolean>();

  const check = async () => {
    const changed = (await conditions()).filter(({ event, key, holds }) => known.get(`${event} ${key}`) !== holds);
    await db.transaction().execute((trx) =>
      announce(
        trx,
        changed.map(({ event, key, holds, data }) => ({
          ...{ type: 'system', key: `${event} ${key}`, ended: !holds, subject: { kind: 'system', id: event } },
          ...{ customerId: null, siteId: null, deviceId: null, data: { ...data, event } },
        })),
      ),
    );
    for (const { event, key, holds } of changed) known.set(`${event} ${key}`, holds);
  };
  const job = clock.repeat(check, {
    job: 'systemConditions',
    everyMs: CHECK_MS,
    log,
    failed: 'the conditions of the installation could not be checked',
  });
  return { name: 'system notices', role: 'jobs', check, start: () => job.startLater(), stop: () => job.stop() };
}

/** What operators should know of before it has effects. */
export async function conditionsOf(
  dataFolder: string,
  certificates: { warnings(): readonly Problem[] },
): Promise<Condition[]> {
  const { bavail, blocks, bsize } = await statfs(dataFolder);
  const free = bavail * bsize;
  const warnings = new Map(certificates.warnings().map(({ values }) => [String(values.setting), values]));
  return [
    {
      ...{ event: 'diskNearlyFull', key: '', holds: isNearlyFull(free, blocks * bsize) },
      data: { freeGB: (free / 2 ** 30).toFixed(1) },
    },
    ...CERTIFICATES.map((key) => ({
      ...{ event: 'certificateExpires' as const, key, holds: warnings.has(key), data: warnings.get(key) ?? {} },
    })),
  ];
}
