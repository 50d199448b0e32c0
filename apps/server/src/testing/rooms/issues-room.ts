import { issueEndpoints } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { fresh, type Ground } from '../cases/ground.ts';
import type { Client } from '../client.ts';
import { startTestServer, type TestServer } from '../server.ts';
import type { SiteName } from '../world.ts';

const { createSiteIssue, readIssue, listIssueEntries } = issueEndpoints;

export const doc = (...content: DocumentContent['content']): DocumentContent => ({
  type: 'doc',
  content: [{ type: 'paragraph', content }],
});
export const text = (words: string) => doc({ type: 'text', text: words });
export const mentioning = (id: number) =>
  doc({ type: 'mention', attrs: { kind: 'user', id: String(id), label: 'someone' } });
export const ends = { cause: 'software', remedy: 'updated' } as const;

/** A server for tests of issues, which keeps what was announced, and short calls to it. */
export function issuesRoom() {
  let server: TestServer;
  let root: Client;
  const query = async <T extends object>(words: string, values: unknown[] = []) =>
    (await server.database.pool.query<T>(words, values)).rows;
  const timeline = async (id: number, client = root) => (await client.data(listIssueEntries, { params: { id } })).items;
  return {
    async start() {
      server = await startTestServer({ captcha: false });
      const ground: Ground = { world: server.world, db: server.database.db };
      root = await server.as('root');
      const north = await server.as('northAdmin');
      const assigned = await server.as('northAssigned');
      const south = await server.as('southAdmin');
      // What was announced, also after the messages module has taken it.
      await query(`
        create table announced (like notices including identity);
        create function keep_announced() returns trigger language plpgsql as $$
        begin insert into announced overriding system value select new.*; return new; end $$;
        create trigger keep_announced after insert on notices for each row execute function keep_announced();`);
      return { server, ground, root, north, assigned, south };
    },
    async report(more: object = {}, site: SiteName = 'northQuay'): Promise<number> {
      const body = { title: fresh('Issue'), type: 1, ...more } as never;
      return (await root.data(createSiteIssue, { params: { id: server.world.sites[site] }, body })).id;
    },
    read: (id: number, client = root) => client.data(readIssue, { params: { id } }),
    timeline,
    eventsOf: async (id: number) => (await timeline(id)).map(({ event }) => event).reverse(),
    query,
    noticesOf: async (id: number) =>
      await query<{ type: string; user_ids: number[]; data: { occasion?: string } }>(
        `select type, user_ids, data from announced where subject_kind = 'issue' and subject_id = $1 order by id`,
        [String(id)],
      ),
  };
}
