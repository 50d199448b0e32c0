import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { ActionEntry } from '../ports/action-log.ts';
import type { LoginReason } from './login-logs/login-logs.store.ts';

interface PastEntry {
  at: Date;
  userId: number | null;
  userName: string;
  address: string;
}

/** An action of a user in the past. */
export interface PastAction extends PastEntry, ActionEntry {}

/** A sign-in or sign-out of the past. */
export interface PastLogin extends PastEntry {
  type: 0 | 1;
  reason: LoginReason | null;
  succeeded: boolean;
  userAgent: string;
}

/** Adds actions in the order of time. */
export async function loadPastActions(db: Kysely<Database>, actions: readonly PastAction[]): Promise<void> {
  await sql`
    insert into action_logs (at, user_id, user_name, address, operation, object_type, object_id, object_name, customer_id,
                             site_id, before, after)
    select at, "userId", "userName", address, operation, "objectType", "objectId", "objectName", "customerId", "siteId",
           before, after
      from jsonb_to_recordset(${JSON.stringify(actions)}::jsonb) as r (
        at timestamptz, "userId" int, "userName" text, address text, operation text, "objectType" text, "objectId" text,
        "objectName" text, "customerId" int, "siteId" int, before jsonb, after jsonb)
     order by at`.execute(db);
}

/** Adds sign-ins and sign-outs in the order of time. */
export async function loadPastLogins(db: Kysely<Database>, logins: readonly PastLogin[]): Promise<void> {
  await sql`
    insert into login_logs (at, type, reason, succeeded, user_id, user_name, address, user_agent)
    select at, type, reason, succeeded, "userId", "userName", address, "userAgent"
      from jsonb_to_recordset(${JSON.stringify(logins)}::jsonb) as r (
        at timestamptz, type int2, reason text, succeeded boolean, "userId" int, "userName" text, address text,
        "userAgent" text)
     order by at`.execute(db);
}
