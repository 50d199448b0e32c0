import {
  type Endpoint,
  type ExplainedType,
  explainEndpoints,
  impersonationEndpoints,
  ROW_TYPES,
} from '@chargehand/contract';
import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { type Inputs, invoke } from '../invoke.ts';
import type { TestServer } from '../server.ts';
import type { Person, SiteName } from '../world.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';

/** Explains endpoints to root for each user, and compares the result and the code with a real call of that user. */
export function explanationMatrix(
  endpoints: readonly Endpoint[],
  people: readonly Person[],
  running: () => { server: TestServer; clients: Record<Person, Client> },
): void {
  /** Rows of the user and of others. */
  const SITES: Partial<Record<Person, SiteName[]>> = {
    northAssigned: ['northQuay', 'northMill'],
    southAdmin: ['northQuay', 'southPark'],
    readOnlyAdmin: ['northQuay', 'readOnlyYard'],
  };
  /** A baseline requires the level of its model, which no question can contain, so the result stays open. */
  const OPEN = new Set(['parameterBaselines.rename', 'parameterBaselines.delete']);
  const explained = endpoints.filter(({ id, policy }) => policy.route !== 'public' && !OPEN.has(id));

  test.each(explained.map((endpoint) => [endpoint.id, endpoint] as const))(
    'the explanation of %s matches the real call, in result and code',
    async (id, endpoint) => {
      const { server, clients } = running();
      const received: string[] = [];
      const happened: string[] = [];
      for (const person of people) {
        const objectType = typeOf(endpoint);
        const sites = objectType ? SITES[person] : undefined;
        for (const site of sites ?? (['northQuay'] as const)) {
          const inputs =
            (await ENDPOINT_CASES[id]?.call?.({ world: server.world, db: server.database.db }, site, person)) ?? {};
          const objectId = objectType ? await rowOf(id, objectType, inputs, site) : undefined;
          const { result, code } = await clients.root.data(explainEndpoints.explainAccess, {
            params: { id: server.world.users[person] },
            query: { endpoint: id, ...(objectType && objectId !== undefined ? { objectType, objectId } : {}) },
          });
          const real = await invoke(clients[person], endpoint, inputs);
          await ENDPOINT_CASES[id]?.undo?.({ world: server.world, db: server.database.db });
          received.push(`${person} at ${site}: ${result === 'allowed' ? 0 : code}`);
          // Inputs that do not match the test data are refused after the access check has passed.
          const admitted = real.code === ENDPOINT_CASES[id]?.everybody;
          happened.push(`${person} at ${site}: ${admitted ? 0 : real.code}`);
          // Ends an impersonation, so that the next question is about the user.
          if (id === impersonationEndpoints.startImpersonation.id)
            await clients[person].call(impersonationEndpoints.stopImpersonation, { body: {} });
        }
      }
      expect(received).toEqual(happened);
    },
  );

  /** What a question about an endpoint can name, read from its policy. */
  function typeOf({ policy }: Endpoint): ExplainedType | undefined {
    const row = policy.route === 'public' ? undefined : policy.row;
    return typeof row === 'object' && !row.each ? ROW_TYPES[row.object] : undefined;
  }

  /** The row of a call, wherever its id is in the request, or the row to which that belongs. */
  async function rowOf(
    endpoint: string,
    objectType: ExplainedType,
    { params, query, body }: Inputs,
    site: SiteName,
  ): Promise<number | undefined> {
    // The file contains the site.
    if (endpoint === 'devices.import') return running().server.world.sites[site];
    const given = { ...(body as Record<string, unknown> | undefined), ...query } as Record<string, unknown>;
    const named = params?.id ?? given[`${objectType}Id`];
    const id = named ?? [given.siteIds, given.ids, given.deviceIds].find(Array.isArray)?.[0];
    if (endpoint.startsWith('alarms.') || endpoint === 'issues.createForAlarm')
      return ownerOf('select device_id as owner from alarms where id = $1', id);
    if (/^links\.(?!(request|options|list)$)/.test(endpoint))
      return ownerOf('select device_id as owner from links where id = $1', params?.id ?? given.id);
    if (/^application(s|Webhooks)\./.test(endpoint) && params?.id !== undefined)
      return ownerOf('select user_id as owner from applications where id = $1', params.id);
    if (endpoint === 'deviceImages.remove')
      return ownerOf('select device_id as owner from device_images where id = $1', id);
    if (endpoint === 'executions.cancel' || endpoint === 'issues.createForCommand')
      return ownerOf('select device_id as owner from executions where id = $1', params?.executionId);
    if (endpoint.startsWith('commandBatches.') && params?.id !== undefined)
      return ownerOf('select device_id as owner from executions where batch_id = $1', params.id);
    if (endpoint.startsWith('webhooks.') && params?.id !== undefined)
      return ownerOf('select customer_id as owner from webhooks where id = $1', params.id);
    if (endpoint === 'tokenImports.export')
      return ownerOf('select customer_id as owner from token_imports where id = $1', id);
    if (endpoint === 'unknownTokens.add')
      return ownerOf(
        'select s.customer_id as owner from unknown_tokens u join sites s on s.id = u.site_id where u.id = $1',
        id,
      );
    if (
      endpoint.startsWith('tokens.') &&
      id !== undefined &&
      endpoint !== 'tokens.create' &&
      endpoint !== 'tokens.import'
    )
      return ownerOf('select customer_id as owner from tokens where id = $1', id);
    if (endpoint === 'messageSends.again')
      return ownerOf('select customer_id as owner from message_sends where id = $1', id);
    if (endpoint === 'sessions.kick') return ownerOf('select user_id as owner from sessions where number = $1', id);
    return id === undefined ? undefined : Number(id);
  }

  async function ownerOf(query: string, id: unknown): Promise<number> {
    return (await running().server.database.pool.query<{ owner: number }>(query, [id])).rows[0]!.owner;
  }
}
