import { isFaultType, type MessageType, webhookTakes } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { unnested } from '../../../platform/database/unnested.ts';
import type { JoinedFaults } from '../../incidents/group-notices.ts';
import type { IncidentRecord } from '../../incidents/incidents.store.ts';
import { insertSends } from '../sends.store.ts';
import { findWebhooksOf, type StoredWebhook } from './webhooks.store.ts';

/** True if a webhook sends messages of a type about an incident. */
export function takes(webhook: StoredWebhook, incident: IncidentRecord, type: MessageType): boolean {
  const { customerId, siteId, userIds } = incident;
  return webhookTakes(webhook, { type, customerId, siteId, named: userIds !== null });
}

/**
 * Calls webhooks about incidents that started or got worse, and about faults that joined an incident about which a webhook
 * was not called, because it does not subscribe to the types that it had before. The first type that it takes counts.
 */
export async function callWebhooks(
  trx: Kysely<Database>,
  { alerts, faults }: { alerts: readonly IncidentRecord[]; faults: readonly JoinedFaults[] },
  dueAt: Date,
): Promise<void> {
  const incidents = [...alerts, ...faults.map(({ incident }) => incident)];
  const webhooks = await webhooksFor(trx, incidents);
  if (webhooks.length === 0) return;
  const calledWith = await findCalled(trx, incidents);
  const calls = new Map<string, Call>();
  const add = (webhook: StoredWebhook, incident: IncidentRecord, type: MessageType) =>
    calls.set(`${incident.id} ${webhook.id}`, { webhook, incident, type });
  for (const webhook of webhooks) {
    for (const incident of alerts) if (takes(webhook, incident, incident.type)) add(webhook, incident, incident.type);
    for (const { incident, faults: joined } of faults) {
      if (calls.has(`${incident.id} ${webhook.id}`) || calledWith(webhook.id, incident.id) !== undefined) continue;
      const fault = joined.find(({ type }) => takes(webhook, incident, type));
      if (fault) add(webhook, incident, fault.type);
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
      .map((incident): Call => ({ webhook, incident, type: 'recovery' })),
  );
  await insertCalls(trx, calls, dueAt);
}

/** The type with which each webhook was called about incidents; undefined when it was not. */
export async function findCalled(
  db: Kysely<Database>,
  incidents: readonly Pick<IncidentRecord, 'id'>[],
): Promise<(webhookId: number, incidentId: number) => MessageType | undefined> {
  const { rows } = await sql<{ incidentId: number; webhookId: number; type: MessageType }>`
    select incident_id as "incidentId", webhook_id as "webhookId", type from incident_webhooks
     where incident_id = any(${incidents.map(({ id }) => id)}::int[])`.execute(db);
  const called = new Map(rows.map(({ incidentId, webhookId, type }) => [`${webhookId} ${incidentId}`, type]));
  return (webhookId, incidentId) => called.get(`${webhookId} ${incidentId}`);
}

interface Call {
  webhook: StoredWebhook;
  incident: IncidentRecord;
  type: MessageType;
}

async function webhooksFor(trx: Kysely<Database>, incidents: readonly IncidentRecord[]): Promise<StoredWebhook[]> {
  const customers = [...new Set(incidents.flatMap(({ customerId }) => customerId ?? []))];
  return customers.length === 0 ? [] : await findWebhooksOf(trx, customers);
}

async function storeCalled(trx: Kysely<Database>, calls: readonly Call[]): Promise<void> {
  if (calls.length === 0) return;
  const called = calls.map(({ incident, webhook, type }) => ({ incidentId: incident.id, webhookId: webhook.id, type }));
  await sql`
    insert into incident_webhooks (incident_id, webhook_id, type)
    select * from ${unnested(called, { incidentId: 'int', webhookId: 'int', type: 'text' })}
    on conflict (incident_id, webhook_id) do update set type = excluded.type`.execute(trx);
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
