import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointCase } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { PEOPLE, type Person } from '../testing/world.ts';

const WHO = ['root', 'vendorStaff', 'northAdmin', 'northAssigned', 'southAdmin', 'readOnlyAdmin'] as const;

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

let server: TestServer;
const clients = {} as Record<Person, Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { extraData: true });
  // Everyone is signed in, because the list of online users is tested too.
  for (const person of PEOPLE) clients[person] = await server.as(person);
});
afterAll(() => server.stop());

describe('lists, counts and exports show nothing outside the scope, not even in their totals', () => {
  const scoped = endpoints.flatMap((endpoint) => {
    const rule = ENDPOINT_CASES[endpoint.id]?.scoped;
    return rule ? [{ id: endpoint.id, endpoint, rule }] : [];
  });

  for (const { id, endpoint, rule } of scoped) {
    test.each(WHO)(`${id}: %s`, async (person) => {
      const shown = await shownTo(clients[person], endpoint, rule);
      const visible = rule.visible(server.world, person);
      expect(shown.names.toSorted()).toEqual(visible.names.toSorted());
      expect(shown.total).toBe(visible.total);
    });

    if (queryOf(endpoint).includes('search')) {
      test(`${id}: a search finds and counts nothing of another customer`, async () => {
        const hidden = await invoke(clients.southAdmin, endpoint, { query: { search: 'north' } });
        expect(rule.shown(hidden).names).toEqual([]);
        expect(rule.shown(hidden).total ?? 0).toBe(0);
        const seen = rule.shown(await invoke(clients.northAdmin, endpoint, { query: { search: 'north' } }));
        expect(seen.total ?? seen.names.length).toBeGreaterThan(0);
      });
    }
  }
});

/** The inputs of an endpoint's query, by name. */
function queryOf(endpoint: Endpoint): string[] {
  return Object.keys(endpoint.query?.properties ?? {});
}

/** Everything that a list shows a user, on all of its pages. */
async function shownTo(
  caller: Client,
  endpoint: Endpoint,
  rule: NonNullable<EndpointCase['scoped']>,
): Promise<{ names: string[]; total?: number }> {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await invoke(caller, endpoint, rule.paged ? { query: { page, pageSize: 100 } } : {});
    expect(answer.code).toBe(0);
    const shown = rule.shown(answer);
    names.push(...shown.names);
    if (!rule.paged || names.length >= shown.total! || shown.names.length === 0) return { ...shown, names };
  }
}
