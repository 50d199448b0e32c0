import type { AlarmLevel, MessageSubject, NoticeType } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** Something that users may want to be notified of. */
export interface Notice {
  type: NoticeType;
  /**
   * What it is about, unique within the type. A later notice with the same key updates the message instead of adding
   * another one.
   */
  key: string;
  /** true: what an earlier notice with this key was about is over */
  ended?: boolean;
  /** the object that the message links to */
  subject: { kind: MessageSubject; id: number | string };
  /** the place that decides who may read it; all null for an object without a place */
  customerId: number | null;
  siteId: number | null;
  deviceId: number | null;
  level?: AlarmLevel;
  /** the user who caused it and is therefore not notified */
  actorId?: number;
  /** the only users to notify, who must still be able to read it; without it, everybody in scope */
  userIds?: readonly number[];
  /** the values of the text, such as names; without secrets, because they are sent by mail */
  data: Readonly<Record<string, string | number | null>>;
}

/**
 * Announces notices in the transaction of their cause: they exist if, and only if, it is committed. The messages module
 * decides about receivers and channels later. One statement for any number of notices.
 */
export async function announce(trx: Kysely<Database>, notices: Notice | readonly Notice[]): Promise<void> {
  const list: readonly Notice[] = 'type' in notices ? [notices] : notices;
  if (list.length === 0) return;
  await sql`
    insert into notices (type, key, ended, subject_kind, subject_id, customer_id, site_id, device_id, level, actor_id,
                         user_ids, data)
    select type, key, coalesce(ended, false), subject ->> 'kind', subject ->> 'id', "customerId", "siteId", "deviceId",
           level, "actorId", "userIds", data
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as notice (
        type text, key text, ended boolean, subject jsonb, "customerId" int, "siteId" int, "deviceId" int, level text,
        "actorId" int, "userIds" int[], data jsonb)`.execute(trx);
}

/** Withdraws what is about to be announced of the commands that a user sent to a device: they see how these ended. */
export async function withdrawSeen(db: Kysely<Database>, userId: number, deviceId: number): Promise<void> {
  await sql`
    delete from notices
     where type = 'commandFinished' and subject_kind = 'execution' and device_id = ${deviceId}
       and user_ids = ${[userId]}::int[] and not_before > clock_timestamp()`.execute(db);
}
