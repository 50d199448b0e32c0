import { accessEndpoints, accountEndpoints, CODES, privacyEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { textsOfXlsx } from '../../testing/files/xlsx.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { PEOPLE } from '../../testing/world.ts';

const {
  listPolicies,
  readPolicy,
  readPolicyDraft,
  savePolicyDraft,
  publishPolicy,
  listAcceptances,
  exportAcceptances,
} = privacyEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const publish = (who: Client, contentEn: string, contentZh: string) =>
  who.call(publishPolicy, { body: { contentEn, contentZh } });
const accept = async (who: Client) => {
  const { newPrivacyPolicyVersion } = (await who.data(accessEndpoints.info)).privacy;
  await who.data(accessEndpoints.acceptPrivacy, { body: { version: newPrivacyPolicyVersion ?? 0 } });
};
const logged = async (type: string) =>
  (
    await server.database.pool.query(
      'select user_name, operation, object_id, after from action_logs where object_type = $1 order by id',
      [type],
    )
  ).rows;

/** Two users who publish concurrently: neither must accept the other's version yet, and both wait for the lock. */
async function together<T>(one: () => Promise<T>, other: () => Promise<T>): Promise<T[]> {
  const { pool } = server.database;
  const holder = await pool.connect();
  try {
    await holder.query('begin; select pg_advisory_xact_lock(4213772061)');
    const both = Promise.all([one(), other()]);
    const waiting = async () => {
      const { rows } = await holder.query(
        `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      return rows[0].n;
    };
    await expect.poll(waiting, { timeout: 30_000 }).toBe(2);
    await holder.query('commit');
    return await both;
  } finally {
    holder.release();
  }
}

describe('a draft', () => {
  test('is shared by all authors, and kept until it is published or emptied', async () => {
    expect(await root.data(readPolicyDraft)).toBeNull();
    const staff = await server.as('vendorStaff');
    await staff.data(savePolicyDraft, { body: { contentEn: ' First words ', contentZh: '' } });
    expect(await root.data(readPolicyDraft)).toMatchObject({
      contentEn: 'First words',
      contentZh: '',
      updatedBy: 'vendor_staff',
    });
    await root.data(savePolicyDraft, { body: { contentEn: ' ', contentZh: '' } });
    expect(await root.data(readPolicyDraft)).toBeNull();
    expect((await logged('privacyPolicy')).map(({ user_name, object_id }) => [user_name, object_id])).toEqual([
      ['vendor_staff', 'draft'],
      ['root_user', 'draft'],
    ]);
  });
});

describe('a draft with two authors', () => {
  const text = (contentEn: string, revision?: string | null) => ({
    body: { contentEn, contentZh: '', ...(revision === undefined ? {} : { revision }) },
  });

  test('is stored for one of them, also when both started without one, and the other gets a problem', async () => {
    const first = await root.data(savePolicyDraft, text('One', null));
    expect(await root.call(savePolicyDraft, text('Two', null))).toEqual(refused('changedMeanwhile', 'revision'));
    const second = await root.data(savePolicyDraft, text('One and a half', first.revision));
    expect(await root.call(savePolicyDraft, text('Two', first.revision))).toEqual(refused('changedMeanwhile'));
    // The answer was lost, but the text is already stored.
    expect(await root.data(savePolicyDraft, text('One and a half', first.revision))).toEqual(second);
    const body = { contentEn: 'Two', contentZh: '二', revision: first.revision };
    expect(await root.call(publishPolicy, { body })).toEqual(refused('changedMeanwhile', 'revision'));
    expect(await root.data(readPolicyDraft)).toMatchObject({ contentEn: 'One and a half', ...second });
    expect(await root.data(savePolicyDraft, text(''))).toEqual({ revision: null });
  });

  test('of two concurrent changes exactly one is stored', async () => {
    const both = await Promise.all(['One', 'Two'].map((words) => root.call(savePolicyDraft, text(words, null))));
    expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, CODES.changedMeanwhile.code]);
    await root.data(savePolicyDraft, text(''));
  });
});

describe('publishing', () => {
  test('requires everyone to accept it with their next request, including the author, each in their language', async () => {
    const north = await server.as('northAdmin');
    const chinese = await server.as('southAdmin', 'zh-CN');
    await root.data(savePolicyDraft, { body: { contentEn: 'Second version', contentZh: '第二版' } });
    expect(await publish(root, 'Second version', '第二版')).toMatchObject({ code: 0, data: { version: 2 } });
    for (const who of [root, north, chinese]) {
      expect((await who.call(accountEndpoints.readAccount)).code).toBe(10107);
    }
    expect((await chinese.data(accessEndpoints.info)).privacy).toEqual({
      needConfirm: true,
      content: '第二版',
      newPrivacyPolicyVersion: 2,
    });
    await accept(north);
    await accept(root);
    expect((await north.call(accountEndpoints.readAccount)).code).toBe(0);
    expect((await chinese.call(accountEndpoints.readAccount)).code).toBe(10107);
    expect(await root.data(readPolicyDraft)).toBeNull();
    const { items } = await root.data(listPolicies);
    expect(items).toMatchObject([
      { version: 2, publishedBy: 'root_user', accepted: 2 },
      { version: 1, publishedBy: '', accepted: PEOPLE.length },
    ]);
    expect(await root.data(readPolicy, { params: { id: 2 } })).toMatchObject({ contentZh: '第二版' });
    expect((await logged('user')).at(-1)).toMatchObject({ user_name: 'root_user', after: { privacyPolicy: 2 } });
  });

  test('concurrently creates two versions, and with the same text only one', async () => {
    const staff = await server.as('vendorStaff');
    await accept(staff);
    const different = await together(
      () => publish(root, 'One', '一'),
      () => publish(staff, 'Other', '二'),
    );
    expect(different.map(({ data }) => data.version).toSorted()).toEqual([3, 4]);
    await accept(root);
    await accept(staff);
    const same = await together(
      () => publish(root, 'Third', '三'),
      () => publish(staff, 'Third', '三'),
    );
    expect(same.map(({ code }) => code).toSorted()).toEqual([0, 10193]);
    const { rows } = await server.database.pool.query('select version from privacy_policies order by version');
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    await accept(root);
  });

  test('requires text in both languages', async () => {
    expect(await publish(root, 'Text', '  ')).toMatchObject({ code: 10010, field: 'contentZh' });
    expect(await publish(root, '', '文本')).toMatchObject({ field: 'contentEn' });
  });

  test('is final: the database refuses to change or remove a version', async () => {
    const { pool } = server.database;
    for (const statement of [
      `update privacy_policies set content_en = 'Other' where version = 2`,
      'delete from privacy_policies where version = 5',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ constraint: 'privacy_policies_kept' });
    }
  });

  test('is only allowed for the platform vendor', async () => {
    await accept(await server.as('northAdmin'));
    expect(await publish(await server.as('northAdmin'), 'Mine', '我的')).toMatchObject({ code: 20013 });
  });
});

describe('acceptances', () => {
  test('are listed newest first, can be searched and filtered by version, and exported completely', async () => {
    const all = await root.data(listAcceptances, { query: { pageSize: 100 } });
    expect(all.total).toBe(all.items.length);
    expect(all.items.map(({ acceptedAt }) => acceptedAt)).toEqual(
      all.items
        .map(({ acceptedAt }) => acceptedAt)
        .toSorted()
        .toReversed(),
    );
    const second = await root.data(listAcceptances, { query: { version: 2, sort: 'userName' } });
    expect(second.items.map(({ userName }) => userName)).toEqual(['north_admin', 'root_user', 'vendor_staff']);
    const found = await root.data(listAcceptances, { query: { search: 'NORTH_ADMIN', version: 1 } });
    expect(found).toMatchObject({ total: 1, items: [{ userName: 'north_admin', version: 1 }] });
    const response = await root.fetch(`${exportAcceptances.path}?version=2`);
    const texts = textsOfXlsx(Buffer.from(await response.arrayBuffer()));
    expect(texts).toEqual(expect.arrayContaining(['User name', 'north_admin', 'root_user']));
    expect(texts).not.toContain('south_admin');
  });
});
