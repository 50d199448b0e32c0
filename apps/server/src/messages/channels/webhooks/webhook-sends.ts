import { isFaultType, type MessageType, webhookTakes } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import type { Alert, JoinedFaults } from '../../incidents/group-notices.ts';
import type { IncidentRecord } from '../../incidents/incidents.store.ts';
import { insertSends } from '../sends.store.ts';
import { findWebhooksOf, type StoredWebhook } from './webhooks.store.ts';

/** True if a webhook sends messages of a type about an incident. */
export function takes(webhook: StoredWebhook, incident: IncidentRecord, type: MessageType): boolean {
  const { customerId, siteId, userIds } = incident;
  return webhookTakes(webhook, { type, customerId, siteId, named: userIds !== null });
}

/**
 * Calls webhooks about incidents that started, got worse or have a new cause, and about faults that joined an incident about
 * which a webhook was not called, or not about their cause, because it does not subscribe to the types that it had before.
 * The worst cause of a type that it takes counts.
 */
export async function callWebhooks(
  trx: Kysely<Database>,
  { alerts, faults }: { alerts: readonly Alert[]; faults: readonly JoinedFaults[] },
  dueAt: Date,
): Promise<void> {
  const incidents = [...alerts, ...faults].map(({ incident }) => incident);
  const webhooks = await webhooksFor(trx, incidents);
  if (webhooks.length === 0) return;
  const calledWith = await findCalled(trx, incidents);
  const calls = new Map<string, Call>();
  for (const webhook of webhooks) {
    for (const { incident, causes } of alerts) {
      const types = causes.length > 0 ? causes.map(({ type }) => type) : [incident.type];
      const type = types.find((one) => takes(webhook, incident, one));
      const names = causes.map(({ name }) => name);
      if (type) calls.set(`${incident.id} ${webhook.id}`, { webhook, incident, type, causes: names });
    }
    for (const { incident, faults: joined } of faults) {
      if (calls.has(`${incident.id} ${webhook.id}`)) continue;
      const called = calledWith(webhook.id, incident.id);
      const fault = joined.find(
        ({ type, cause }) =>
          takes(webhook, incident, type) &&
          (!called || (incident.causes[cause]?.announcedAt != null && !called.causes.includes(cause))),
      );
      if (!fault) continue;
      calls.set(`${incident.id} ${webhook.id}`, { webhook, incident, type: fault.type, causes: [fault.cause] });
    }
  }
  await storeCalled(trx, [...calls.values()]);
  await insertCalls(trx, [...calls.values()], dueAt);
}

/** Calls webhooks about recoveries: those that were called about the incident, and those that subscribe to no fault. */
export async function callAboutRecovery(
  trx: Kysely<Database>,
  incidents: readonly IncidentRecord[],
  dueAt: Date,
): Promise<void> {
  const webhooks = await webhooksFor(trx, incidents);
  if (webhooks.length === 0) return;
  const calledWith = await findCalled(trx, incidents);
  const calls = webhooks.flatMap((webhook) =>
    incidents
      .filter(
        (incident) =>
          takes(webhook, incident, 'recovery') &&
          (calledWith(webhook.id, incident.id) !== undefined || !webhook.types.some(isFaultType)),
      )
      .map((incident): Call => ({ webhook, incident, type: 'recovery', causes: [] })),
  );
  await insertCalls(trx, calls, dueAt);
}

/** With which type and about which causes each webhook was called about incidents; undefined when it was not. */
export async function findCalled(
  db: Kysely<Database>,
  incidents: readonly Pick<IncidentRecord, 'id'>[],
): Promise<(webhookId: number, incidentId: number) => { type: MessageType; causes: string[] } | undefined> {
  const { rows } = await sql<{ incidentId: number; webhookId: number; type: MessageType; causes: string[] }>`
    select incident_id as "incidentId", webhook_id as "webhookId", type, causes from incident_webhooks
     where incident_id = any(${incidents.map(({ id }) => id)}::int[])`.execute(db);
  const called = new Map(rows.map((row) => [`${row.webhookId} ${row.incidentId}`, row]));
  return (webhookId, incidentId) => called.get(`${webhookId} ${incidentId}`);
}

interface Call {
  webhook: StoredWebhook;
  incident: IncidentRecord;
  type: MessageType;
  causes: string[];
}

async function webhooksFor(trx: Kysely<Database>, incidents: readonly IncidentRecord[]): Promise<StoredWebhook[]> {
  const customers = [...new Set(incidents.flatMap(({ customerId }) => customerId ?? []))];
  return customers.length === 0 ? [] : await findWebhooksOf(trx, customers);
}

async function storeCalled(trx: Kysely<Database>, calls: readonly Call[]): Promise<void> {
  if (calls.length === 0) return;
  const called = calls.map(({ incident, webhook, type, causes }) => ({
    ...{ incidentId: incident.id, webhookId: webhook.id, type, causes },
  }));
  await sql`
    insert into incident_webhooks as w (incident_id, webhook_id, type, causes)
    select "incidentId", "webhookId", type, causes
      from jsonb_to_recordset(${JSON.stringify(called)}::jsonb) as n (
        "incidentId" int, "webhookId" int, type text, causes text[])
    on conflict (incident_id, webhook_id) do update set type = excluded.type,
           causes = array(select distinct c from unnest(w.causes || excluded.causes) c)`.execute(trx);
}

async function insertCalls(trx: Kysely<Database>, calls: readonly Call[], dueAt: Date): Promise<void> {
  await insertSends(
    trx,
    calls.map(({ webhook, incident, type }) => ({
      ...{ channel: 'webhook' as const, customerId: webhook.customerId, webhookId: webhook.id },
      ...{ receiver: webhook.name, type, incidentId: incident.id, dueAt },
    })),
  );
}
