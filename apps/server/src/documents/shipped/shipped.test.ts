import { CODES, documentEndpoints } from '@chargehand/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureReadyMadeModels } from '../../models/index.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { SHIPPED_CATEGORIES } from './catalog.ts';
import { ensureShippedDocuments } from './shipped.service.ts';
import { readShippedFiles } from './shipped-files.ts';

const {
  readDocument,
  searchDocuments,
  explainCodes,
  saveText,
  deleteDocument,
  createDocument,
  listVersions,
  readText,
} = documentEndpoints;
const documents = SHIPPED_CATEGORIES.flatMap((category) => category.documents);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  await ensureShippedDocuments(server.database.db);
});
afterAll(() => server.stop());

/** The release with other words in the description of one document. */
const nextRelease = (key: string, words: string) => async () => {
  const files = await readShippedFiles();
  return files.map((file) =>
    file.key === key && file.locale === 'en-US'
      ? {
          ...file,
          hash: `${file.hash} ${words}`,
          text: file.text.replace(/^description: .*$/m, `description: ${words}`),
        }
      : file,
  );
};

const idOf = async (key: string) => {
  const row = server.database.db.selectFrom('documents').select('id').where('shipped', '=', key);
  return (await row.executeTakeFirstOrThrow()).id;
};

/** Everything that a start may change. */
async function snapshot() {
  const { db } = server.database;
  const read = (table: 'document_categories' | 'documents' | 'document_texts' | 'shipped_texts') =>
    db.selectFrom(table).selectAll().execute();
  return await Promise.all([
    read('document_categories'),
    read('documents'),
    read('document_texts'),
    read('shipped_texts'),
  ]);
}

describe('the shipped documents', () => {
  test('exist in both languages, and the search finds them in both', async () => {
    const reader = await server.as('northReader');
    const find = async (search: string) => (await reader.data(searchDocuments, { query: { search } })).items;
    expect((await find('insulation monitor'))[0]).toMatchObject({ locale: 'en-US' });
    expect((await find('漏电'))[0]).toMatchObject({ locale: 'zh-CN' });
    const chinese = await server.as('northReader', 'zh-CN');
    const query = { type: 100, codes: 'GroundFailure,CX002,NoSuchCode' } as const;
    const { items } = await chinese.data(explainCodes, { query });
    expect(items.map(({ key, locale }) => [key, locale])).toEqual([
      ['CX002', 'zh-CN'],
      ['GroundFailure', 'zh-CN'],
    ]);
    const manual = await chinese.data(readDocument, { query: { shipped: 'manual-home' } });
    expect(manual).toMatchObject({ title: '首页', locale: 'zh-CN' });
    const page = await chinese.data(readDocument, { query: { type: 100, code: 'GroundFailure' } });
    expect(page.translations.map(({ state }) => state)).toEqual(['current', 'current']);
  });

  test('explain every parameter and reading of the shipped device models', async () => {
    const { db } = server.database;
    await ensureReadyMadeModels(db);
    const { rows } = await sql<{ key: string; kind: string }>`
      select distinct i.key, u.kind::text as kind from data_items i join device_model_items u on u.data_item_id = i.id`.execute(
      db,
    );
    const bound = await db.selectFrom('document_bindings').select(['key', 'type']).execute();
    const typesOf = Map.groupBy(bound, ({ key }) => key);
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.filter(({ key }) => !typesOf.has(key)).map(({ key }) => key)).toEqual([]);
    const settings = rows.filter(({ kind }) => kind === 'parameter');
    const explained = settings.filter(({ key }) => typesOf.get(key)?.some(({ type }) => type === 101));
    expect(explained).toEqual(settings);
  });

  test('are stored once, by any number of starts at the same time', async () => {
    const before = await snapshot();
    expect(before[1]).toHaveLength(documents.length);
    await Promise.all([1, 2, 3].map(() => ensureShippedDocuments(server.database.db)));
    expect(await snapshot()).toEqual(before);
  });

  test('are added once when several processes start on an empty database', async () => {
    const { db } = server.database;
    await db.deleteFrom('documents').execute();
    await db.deleteFrom('shipped_texts').execute();
    await Promise.all([1, 2, 3].map(() => ensureShippedDocuments(db)));
    expect((await snapshot())[1]).toHaveLength(documents.length);
    expect((await snapshot())[0]).toHaveLength(SHIPPED_CATEGORIES.length);
  });
});

describe('a new release', () => {
  test('updates a text that nobody edited, and its index', async () => {
    await ensureShippedDocuments(server.database.db, { files: nextRelease('reader', 'Xylophone first') });
    const root = await server.as('root');
    const page = await root.data(readDocument, { query: { id: await idOf('reader') } });
    expect(page).toMatchObject({ description: 'Xylophone first', version: 2 });
    expect(page.translations.map(({ state }) => state)).toEqual(['current', 'current']);
    expect((await root.data(searchDocuments, { query: { search: 'xylophone' } })).items).toHaveLength(1);
  });

  test('keeps a text that an operator edited, and offers the new one as a version', async () => {
    const id = await idOf('reset');
    const root = await server.as('root');
    const params = { id, locale: 'en-US' } as const;
    const { title, body } = await root.data(readText, { params });
    await root.data(saveText, { params, body: { title, body, description: 'Ours', baseVersion: 1 } });
    await ensureShippedDocuments(server.database.db, { files: nextRelease('reset', 'Theirs') });
    expect(await root.data(readDocument, { query: { id } })).toMatchObject({ description: 'Ours', version: 4 });
    const { items } = await root.data(listVersions, { params, query: {} as never });
    expect(items.map(({ version, author, restored }) => [version, author, restored])).toMatchObject([
      [4, expect.anything(), 2],
      [3, 'Chargehand', null],
      [2, expect.anything(), null],
      [1, 'Chargehand', null],
    ]);
    await ensureShippedDocuments(server.database.db, { files: nextRelease('reset', 'Theirs') });
    expect(await root.data(readDocument, { query: { id } })).toMatchObject({ version: 4 });
  });

  test('does not add a deleted document again', async () => {
    const root = await server.as('root');
    const id = await idOf('offline');
    await root.data(deleteDocument, { params: { id } });
    await ensureShippedDocuments(server.database.db, { files: nextRelease('offline', 'Again') });
    expect((await root.data(explainCodes, { query: { type: 100, codes: 'Offline' } })).items).toEqual([]);
    expect((await root.call(readDocument, { query: { shipped: 'offline' } })).code).toBe(CODES.notFound.code);
  });

  test("leaves a code to the operator's document, and finds another name", async () => {
    const { db } = server.database;
    const root = await server.as('root');
    const id = await idOf('weak-signal');
    await root.data(deleteDocument, { params: { id } });
    await db.deleteFrom('shipped_texts').where('key', '=', 'weak-signal').execute();
    const { id: categoryId } = await db
      .selectFrom('document_categories')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const bindings = [{ key: 'WeakSignal', deviceModelId: null }];
    const own = await root.data(createDocument, {
      body: {
        ...{ name: 'weaksignal', type: 100, categoryId, readLevel: 5, writeLevel: 5, bindings },
        ...{ locale: 'en-US', title: 'Our own' },
      },
    });
    await ensureShippedDocuments(db);
    const { items } = await root.data(explainCodes, { query: { type: 100, codes: 'WeakSignal,CX007' } });
    expect(items).toMatchObject([
      { key: 'CX007', documentId: await idOf('weak-signal') },
      { key: 'WeakSignal', documentId: own.id },
    ]);
    const names = db.selectFrom('documents').select('name').where('shipped', '=', 'weak-signal');
    expect(await names.executeTakeFirst()).toEqual({ name: 'WeakSignal (Chargehand)' });
  });
});
