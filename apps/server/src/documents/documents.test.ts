import { randomUUID } from 'node:crypto';
import { CODES, categoryEndpoints, documentEndpoints } from '@chargehand/contract';
import { type DocumentContent, levelsAll } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArchive } from '../platform/xlsx/xlsx-archive.ts';
import type { Client } from '../testing/client.ts';
import { zipOf } from '../testing/files/zip.ts';
import { invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { createDocument, readDocument, saveText, searchDocuments, listDocuments, updateDocument } = documentEndpoints;

let server: TestServer;
let root: Client;
let author: Client;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  author = await server.as('northAdmin');
  const names = { parentId: null, nameEn: 'Faults', nameZh: '故障' };
  categoryId = (await root.data(categoryEndpoints.createCategory, { body: names })).id;
});
afterAll(() => server.stop());

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const heading = (text: string) => ({ type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text }] });
const doc = (...content: DocumentContent['content']): DocumentContent => ({ type: 'doc', content });

let count = 0;
/** Adds a document with a published text. */
async function write(body: DocumentContent, more: object = {}, locale: 'en-US' | 'zh-CN' = 'en-US') {
  count += 1;
  const customerId = server.world.customers.north;
  const of = { customerId, name: `doc ${count}`, type: null, categoryId };
  const values = { ...of, readLevel: 5, writeLevel: 5, title: `Title ${count}` };
  const { id } = await root.data(createDocument, { body: { ...values, locale, ...more } as never });
  await publish(root, id, { body, baseVersion: 1, title: `Title ${count}` }, locale);
  return id;
}

async function publish(client: Client, id: number, text: object, locale: 'en-US' | 'zh-CN' = 'en-US') {
  const body = { title: 'Title', description: '', baseVersion: 0, ...text } as never;
  return await client.data(saveText, { params: { id, locale }, body });
}

test('code of several lines is stored unchanged', async () => {
  const code = { type: 'codeBlock', content: [{ type: 'text', text: 'reset --soft\n\tstatus' }] };
  const id = await write(doc(code as never));
  expect((await author.data(readDocument, { query: { id } })).body).toEqual(doc(code as never));
});

describe('the owner of a document', () => {
  /** A document that explains a code, of a customer or of the platform. */
  const owned = async (customerId: number | null, code: string) => {
    const body = doc(paragraph(`Text of ${code} ${customerId}`));
    return await write(body, { customerId, type: 100, bindings: [{ key: code, deviceModelId: null }] });
  };

  test('decides who reads and who edits it: its customer and the platform', async () => {
    const { customers } = server.world;
    const code = `Owner${randomUUID().slice(0, 8)}`;
    const ids = {
      platform: await owned(null, code),
      north: await owned(customers.north, code),
      south: await owned(customers.south, code),
    };
    const people = {
      root,
      north: author,
      assigned: await server.as('northAssigned'),
      south: await server.as('southAdmin'),
    };
    const access = async (client: Client, id: number) => {
      const { code: read } = await client.call(readDocument, { query: { id } });
      const { code: edit } = await client.call(documentEndpoints.enableDocument, { params: { id }, body: {} });
      const { code: remove } = await client.call(documentEndpoints.readText, { params: { id, locale: 'en-US' } });
      return [read, edit, remove];
    };
    const [hidden, denied] = [CODES.notFound.code, CODES.noPermission.code];
    const all = { edits: [0, 0, 0], reads: [0, denied, denied], none: [hidden, hidden, hidden] };
    expect(await access(people.root, ids.south)).toEqual(all.edits);
    expect(await access(people.root, ids.platform)).toEqual(all.edits);
    for (const client of [people.north, people.assigned]) {
      expect((await client.call(readDocument, { query: { id: ids.north } })).code).toBe(0);
      expect(await access(client, ids.platform)).toEqual(all.reads);
      expect(await access(client, ids.south)).toEqual(all.none);
    }
    expect(await access(people.north, ids.north)).toEqual(all.edits);
    expect(await access(people.south, ids.north)).toEqual(all.none);

    // Lists, search, exports and help about codes have the same rows.
    for (const [name, seen] of [
      ['root', [ids.platform, ids.north, ids.south]],
      ['north', [ids.platform, ids.north]],
      ['assigned', [ids.platform, ids.north]],
      ['south', [ids.platform, ids.south]],
    ] as const) {
      const client = people[name];
      const { items } = await client.data(searchDocuments, { query: { search: `"${code}"`, limit: 50 } });
      expect(items.map(({ documentId }) => documentId).toSorted()).toEqual(seen.toSorted());
      const { rows } = { rows: await client.data(documentEndpoints.selectDocuments, { query: {} }) };
      const listed = rows.items.map(({ id }) => id).filter((id) => Object.values(ids).includes(id));
      expect(listed.toSorted()).toEqual(seen.toSorted());
    }
    const helpOf = async (client: Client) =>
      (await client.data(documentEndpoints.explainCodes, { query: { type: 100, codes: code } })).items[0]?.documentId;
    expect(await helpOf(people.north)).toBe(ids.north);
    expect(await helpOf(people.south)).toBe(ids.south);
    expect(await helpOf(people.root)).toBe(ids.platform);
  });

  test('is the customer of the author by default, and only the platform vendor gives a document to others', async () => {
    const { customers } = server.world;
    const values = { type: null, categoryId, readLevel: 5, writeLevel: 4, locale: 'en-US', title: 'x' } as const;
    const create = async (client: Client, more: object = {}) =>
      await client.call(createDocument, { body: { ...values, name: randomUUID(), ...more } });
    const own = await create(author);
    expect(await author.data(readDocument, { query: { id: own.data!.id } })).toMatchObject({
      customerId: customers.north,
    });
    expect((await create(author, { customerId: null })).code).toBe(CODES.noPermission.code);
    expect((await create(author, { customerId: customers.south })).code).toBe(CODES.notFound.code);
    const params = { id: own.data!.id };
    const move = async (client: Client, customerId: number | null) =>
      (await client.call(updateDocument, { params, body: { customerId } })).code;
    expect(await move(author, null)).toBe(CODES.noPermission.code);
    expect(await move(root, null)).toBe(0);
    expect(await move(author, customers.north)).toBe(CODES.noPermission.code);
    const names = { parentId: null, nameEn: randomUUID(), nameZh: randomUUID() };
    expect((await author.call(categoryEndpoints.createCategory, { body: names })).code).toBe(CODES.noPermission.code);
  });
});

describe('reading and levels', () => {
  test('a document is read by its id and by its code, the one for the model first', async () => {
    const key = 'GroundFailure';
    const general = await write(doc(paragraph('general')), { type: 100, bindings: [{ key, deviceModelId: null }] });
    const models = server.database.db.selectFrom('device_models').select('id').limit(1);
    const { id: deviceModelId } = await models.executeTakeFirstOrThrow();
    const special = await write(doc(paragraph('special')), { type: 100, bindings: [{ key, deviceModelId }] });
    expect((await author.data(readDocument, { query: { id: general } })).body).toEqual(doc(paragraph('general')));
    expect((await author.data(readDocument, { query: { type: 100, code: key } })).id).toBe(general);
    expect((await author.data(readDocument, { query: { type: 100, code: key, deviceModelId } })).id).toBe(special);
    const explained = { query: { type: 100, codes: `${key},Other`, deviceModelIds: String(deviceModelId) } } as const;
    const { items } = await author.data(documentEndpoints.explainCodes, explained);
    expect(items).toMatchObject([
      { key, deviceModelId, documentId: special },
      { key, deviceModelId: null, documentId: general },
    ]);
    const taken = { name: 'taken', type: 100, categoryId, readLevel: 5, writeLevel: 5, locale: 'en-US', title: 'x' };
    const again = {
      ...taken,
      customerId: server.world.customers.north,
      bindings: [{ key, deviceModelId: null }],
    } as never;
    expect((await root.call(createDocument, { body: again })).code).toBe(CODES.documentBindingTaken.code);
    await server.database.db.updateTable('documents').set({ read_level: 0 }).where('id', '=', general).execute();
    expect((await author.call(createDocument, { body: again })).code).toBe(CODES.documentBindingHidden.code);
  });

  test('a document above the level of the caller does not exist for them', async () => {
    const secret = await write(doc(heading('Secretheading'), paragraph('verysecret')), { readLevel: 0, writeLevel: 0 });
    const reader = await server.as('northReader');
    expect((await reader.call(readDocument, { query: { id: secret } })).code).toBe(CODES.notFound.code);
    expect((await reader.data(searchDocuments, { query: { search: 'verysecret' } })).items).toEqual([]);
    expect((await reader.data(searchDocuments, { query: { search: 'Secretheadng' } })).suggestion).toBeNull();
    expect((await reader.data(listDocuments, { query: { search: `doc ${count}` } })).total).toBe(0);
    expect((await root.data(searchDocuments, { query: { search: 'verysecret' } })).items).toHaveLength(1);
  });

  test('a disabled document is seen by its authors only', async () => {
    const id = await write(doc(paragraph('offline text')), { writeLevel: 4 });
    await root.data(documentEndpoints.disableDocument, { params: { id } });
    const reader = await server.as('northReader');
    expect((await reader.call(readDocument, { query: { id } })).code).toBe(CODES.notFound.code);
    expect((await root.data(readDocument, { query: { id } })).enabled).toBe(false);
    await root.data(documentEndpoints.enableDocument, { params: { id } });
    expect((await reader.data(readDocument, { query: { id } })).may.edit).toBe(false);
  });

  test('nobody gives a document a level that they do not hold', async () => {
    const { db } = server.database;
    const levels = JSON.stringify({ ...levelsAll(3) });
    const role = await db
      .selectFrom('users')
      .select('role_id')
      .where('user_name', '=', 'north_admin')
      .executeTakeFirst();
    expect(role).toBeDefined();
    const before = await db
      .selectFrom('roles')
      .select('levels')
      .where('id', '=', role!.role_id)
      .executeTakeFirstOrThrow();
    await db.updateTable('roles').set({ levels }).where('id', '=', role!.role_id).execute();
    const limited = await server.as('northAdmin');
    const id = await write(doc(paragraph('a')));
    for (const change of [{ readLevel: 2 }, { writeLevel: 2 }] as const) {
      const answer = await limited.call(updateDocument, { params: { id }, body: change });
      expect(answer).toMatchObject({ code: CODES.documentLevelExceeds.code, field: Object.keys(change)[0] });
    }
    await db
      .updateTable('roles')
      .set({ levels: JSON.stringify(before.levels) })
      .where('id', '=', role!.role_id)
      .execute();
  });

  test('a reader without a text in their language sees the other one, and it is marked', async () => {
    const id = await write(doc(paragraph('只有中文')), {}, 'zh-CN');
    const shown = await author.data(readDocument, { query: { id } });
    expect(shown).toMatchObject({ locale: 'zh-CN', body: doc(paragraph('只有中文')) });
    expect(shown.translations).toMatchObject([{ state: 'missing' }, { state: 'current' }]);
    await publish(root, id, { body: doc(paragraph('now in English')), translatedFrom: 2 }, 'en-US');
    const both = await author.data(readDocument, { query: { id } });
    expect(both).toMatchObject({ locale: 'en-US', translations: [{ state: 'current' }, { state: 'current' }] });
    await publish(root, id, { body: doc(paragraph('改了')), baseVersion: 2 }, 'zh-CN');
    const later = await author.data(readDocument, { query: { id } });
    expect(later.translations.map(({ state }) => state)).toEqual(['outdated', 'current']);
    const outdated = await root.data(listDocuments, { query: { translation: 'outdated' } });
    expect(outdated.items.map((one) => one.id)).toEqual([id]);
  });

  test('a translation follows the version that its author compared, not a later one', async () => {
    const id = await write(doc(paragraph('第二版')), {}, 'zh-CN');
    const english = async (baseVersion: number, translatedFrom: number) => {
      const body = doc(paragraph(`Translation ${baseVersion}`));
      await publish(author, id, { body, baseVersion, translatedFrom });
      return (await author.data(readDocument, { query: { id } })).translations[0]!.state;
    };
    expect(await english(0, 1)).toBe('outdated');
    expect(await english(1, 2)).toBe('current');
    for (const baseVersion of [2, 3]) {
      await publish(root, id, { body: doc(paragraph(`第 ${baseVersion + 1} 版`)), baseVersion }, 'zh-CN');
    }
    expect(await english(2, 3)).toBe('outdated');
    const params = { id, locale: 'en-US' } as const;
    expect((await author.data(documentEndpoints.readText, { params })).other).toEqual({ version: 4, follows: 3 });
    expect(await english(3, 4)).toBe('current');
    expect(await english(4, 3)).toBe('current');
  });

  test('a document that is opened several times a day counts once for each reader', async () => {
    const id = await write(doc(paragraph('Counted')));
    const admin = await server.as('northAdmin');
    for (const reader of [root, root, admin, root]) await reader.data(readDocument, { query: { id } });
    expect((await root.data(readDocument, { query: { id } })).reads).toBe(2);
  });

  test('votes count once for each user and can be withdrawn', async () => {
    const id = await write(doc(paragraph('a')));
    const vote = (client: Client, helped: boolean | null) =>
      client.data(documentEndpoints.voteDocument, { params: { id }, body: { helped } });
    expect(await vote(author, true)).toEqual({ helped: 1, notHelped: 0, own: true });
    expect(await vote(root, false)).toEqual({ helped: 1, notHelped: 1, own: false });
    expect(await vote(author, null)).toEqual({ helped: 0, notHelped: 1, own: null });
  });
});

describe('editing', () => {
  test('changes of different parts are merged, and nothing is lost', async () => {
    const id = await write(doc(heading('A'), paragraph('one'), paragraph('two')));
    const mine = doc(heading('A'), paragraph('one, mine'), paragraph('two'));
    const theirs = doc(heading('A'), paragraph('one'), paragraph('two, theirs'));
    expect(await publish(root, id, { body: theirs, baseVersion: 2 })).toMatchObject({ state: 'saved', version: 3 });
    expect(await publish(author, id, { body: mine, baseVersion: 2 })).toMatchObject({
      state: 'merged',
      version: 4,
      body: doc(heading('A'), paragraph('one, mine'), paragraph('two, theirs')),
    });
  });

  test('a title and a description that the other author changed are merged, and the answer has them', async () => {
    const id = await write(doc(paragraph('one')));
    const title = `Title ${count}`;
    await publish(root, id, {
      title: 'Renamed',
      description: 'Stop charging',
      body: doc(paragraph('one')),
      baseVersion: 2,
    });
    const merged = await publish(author, id, { title, body: doc(paragraph('one, mine')), baseVersion: 2 });
    expect(merged).toMatchObject({ state: 'merged', title: 'Renamed', description: 'Stop charging' });
    expect(await author.data(readDocument, { query: { id } })).toMatchObject({
      ...{ title: 'Renamed', description: 'Stop charging', body: doc(paragraph('one, mine')) },
    });
  });

  test('changes of the same part are not merged, and the answer has the other text', async () => {
    const id = await write(doc(paragraph('one')));
    await publish(root, id, { body: doc(paragraph('theirs')), baseVersion: 2 });
    const answer = await publish(author, id, { body: doc(paragraph('mine')), baseVersion: 2 });
    expect(answer).toMatchObject({
      state: 'conflict',
      version: 3,
      body: doc(paragraph('theirs')),
      updatedBy: 'root_user',
    });
    expect((await author.data(readDocument, { query: { id } })).body).toEqual(doc(paragraph('theirs')));
  });

  test('twenty authors who publish at the same time leave twenty versions or conflicts, and no gap', async () => {
    const id = await write(doc(paragraph('start')));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => publish(root, id, { body: doc(paragraph(`text ${at}`)), baseVersion: 2 })),
    );
    expect(answers.filter(({ state }) => state === 'saved')).toHaveLength(1);
    expect(answers.filter(({ state }) => state === 'conflict')).toHaveLength(19);
    const { total } = await root.data(documentEndpoints.listVersions, { params: { id, locale: 'en-US' }, query: {} });
    expect(total).toBe(3);
  });

  test('a restored version becomes a new one, and the search finds its text again', async () => {
    const id = await write(doc(paragraph('formerly here')));
    await publish(root, id, { body: doc(paragraph('now')), baseVersion: 2 });
    const find = async () => (await root.data(searchDocuments, { query: { search: 'formerly' } })).items.length;
    expect(await find()).toBe(0);
    const params = { id, locale: 'en-US', version: 2 } as const;
    expect(await root.data(documentEndpoints.restoreVersion, { params })).toMatchObject({ version: 4 });
    expect(await find()).toBe(1);
    const { items } = await root.data(documentEndpoints.listVersions, { params: { id, locale: 'en-US' }, query: {} });
    expect(items.map(({ version, restored }) => [version, restored])).toEqual([
      [4, 2],
      [3, null],
      [2, null],
      [1, null],
    ]);
  });

  test('what is not allowed in a document is removed when it is stored and when it is read', async () => {
    const script = { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] };
    const hostile = { type: 'doc', content: [{ type: 'paragraph', content: [script] }, { type: 'script' }] } as never;
    const id = await write(hostile);
    expect((await author.data(readDocument, { query: { id } })).body).toEqual(doc(paragraph('x')));
    const texts = server.database.db.updateTable('document_texts').set({ body: JSON.stringify(hostile) as never });
    await texts.where('document_id', '=', id).execute();
    expect((await author.data(readDocument, { query: { id } })).body).toEqual(doc(paragraph('x')));
  });
});

describe('search', () => {
  const text = '充电桩上电后绝缘检测失败，检查直流接触器是否粘连。Check the insulation monitor and the contactors.';
  let id: number;
  beforeAll(async () => {
    id = await write(doc(heading('绝缘检测失败的处理'), paragraph(text)), {}, 'zh-CN');
  });
  const found = async (search: string) => {
    const { items } = await root.data(searchDocuments, { query: { search } });
    return items.some(({ documentId }) => documentId === id);
  };

  test('finds every piece of one to six Chinese characters', async () => {
    const chinese = text.slice(0, text.indexOf('，'));
    for (let length = 1; length <= 6; length += 1) {
      for (let at = 0; at + length <= chinese.length; at += 1) {
        const piece = chinese.slice(at, at + length);
        expect([piece, await found(piece)]).toEqual([piece, true]);
      }
    }
  });

  test.each(['contactor', 'CHECKING', 'insulation monitors', '绝缘 contactor', 'insul'])('finds %j', async (search) => {
    expect(await found(search)).toBe(true);
  });

  test.each(['缘绝', '电桩充', 'contactless'])('does not find %j', async (search) => {
    expect(await found(search)).toBe(false);
  });

  test('a hit names its heading and marks the words', async () => {
    const { items } = await root.data(searchDocuments, { query: { search: '粘连' } });
    expect(items[0]).toMatchObject({ heading: '绝缘检测失败的处理', anchor: '绝缘检测失败的处理', locale: 'zh-CN' });
    const { excerpt, marks } = items[0]!;
    expect(marks.map(({ start, length }) => excerpt.slice(start, start + length))).toEqual(['粘连']);
  });

  test('suggests a similar heading for words with too many errors to correct them', async () => {
    await write(doc(heading('Contactor welding'), paragraph('x')));
    expect(await root.data(searchDocuments, { query: { search: 'Contactor wldin' } })).toMatchObject({
      partial: true,
      suggestion: 'Contactor welding',
    });
  });

  test.each(["'", "' | 'a", '\\', '%', '_', ':*', '!(a)', '<->', '\u0301'])(
    'the text %j is no query language',
    async (search) => {
      expect((await root.call(searchDocuments, { query: { search } })).code).toBe(0);
    },
  );
});

describe('categories', () => {
  const create = async (nameEn: string, parentId: number | null) => {
    const body = { nameEn, nameZh: `${nameEn}类`, parentId };
    return (await root.data(categoryEndpoints.createCategory, { body })).id;
  };
  const move = (id: number, parentId: number | null, index: number) =>
    root.call(categoryEndpoints.moveCategory, { params: { id }, body: { parentId, index } });

  test('are ordered by moving them, and cannot be moved below themselves or too deep', async () => {
    const [a, b, c] = [await create('a', null), await create('b', null), await create('c', null)];
    await move(c, null, 1);
    const order = async () => {
      const { items } = await root.data(categoryEndpoints.listCategories);
      return items.filter(({ id, parentId }) => parentId === null && [a, b, c].includes(id)).map(({ id }) => id);
    };
    expect(await order()).toEqual([c, a, b]);
    expect((await move(b, a, 0)).code).toBe(0);
    expect((await move(a, b, 0)).code).toBe(CODES.documentCategoryDeep.code);
    expect((await move(a, a, 0)).code).toBe(CODES.documentCategoryDeep.code);
    let deepest = b;
    for (const name of ['d', 'e']) deepest = await create(name, deepest);
    const deeper = { body: { nameEn: 'f', nameZh: 'f', parentId: deepest } };
    expect((await root.call(categoryEndpoints.createCategory, deeper)).code).toBe(CODES.documentCategoryDeep.code);
  });

  test('with documents or subcategories cannot be deleted', async () => {
    await write(doc(paragraph('a')));
    const remove = (id: number) => root.call(categoryEndpoints.deleteCategory, { params: { id } });
    expect((await remove(categoryId)).code).toBe(CODES.documentCategoryUsed.code);
    expect((await remove(await create('empty', null))).code).toBe(0);
  });

  test('have different names on each level, in any case', async () => {
    await create('Same', null);
    const body = { nameEn: 'SAME', nameZh: '另一个', parentId: null };
    const answer = await root.call(categoryEndpoints.createCategory, { body });
    expect(answer).toMatchObject({ code: CODES.documentCategoryTaken.code, field: 'nameEn' });
  });
});

test('documents are sorted by name and title with numbers by value and Chinese by pinyin', async () => {
  const inOrder = ['北站 2', '北站 10', '中站', 'Pile 2', 'Pile 10'];
  for (const text of ['Pile 10', '中站', '北站 10', 'Pile 2', '北站 2']) {
    const id = await write(doc(paragraph('a')), { name: `${text} sorted` });
    await publish(root, id, { body: doc(paragraph('b')), baseVersion: 2, title: text });
  }
  const titles = async (sort: 'name' | '-name' | 'title' | '-title') =>
    (await author.data(listDocuments, { query: { search: 'sorted', sort } })).items.map(({ title }) => title);
  expect(await titles('name')).toEqual(inOrder);
  expect(await titles('title')).toEqual(inOrder);
  expect(await titles('-name')).toEqual(inOrder.toReversed());
  expect(await titles('-title')).toEqual(inOrder.toReversed());
});

test('all documents that match the filters are selected, as far as the caller may read them', async () => {
  const open = await write(doc(paragraph('a')), { name: 'selected open' });
  const secret = await write(doc(paragraph('b')), { name: 'selected secret', readLevel: 0 });
  const select = async (client: Client) =>
    (await client.data(documentEndpoints.selectDocuments, { query: { search: 'selected' } })).items;
  expect((await select(root)).map(({ id }) => id)).toEqual([open, secret]);
  const { title } = await root.data(readDocument, { query: { id: open } });
  expect(await select(author)).toEqual([{ id: open, name: title }]);
});

describe('folders of Markdown files', () => {
  test('an export imports as it was, and a change becomes a new version', async () => {
    const id = await write(doc(heading('Cause'), paragraph('a & b')), {
      type: 100,
      bindings: [{ key: 'X1', deviceModelId: null }],
    });
    const { name } = await root.data(readDocument, { query: { id } });
    const { bytes } = await invoke(root, documentEndpoints.exportDocuments, { query: { ids: String(id) } });
    const archive = await openArchive(bytes, 1_000_000);
    expect(archive.paths()).toEqual([`${name}.en-US.md`]);
    const file = await archive.read(`${name}.en-US.md`);
    expect(file).toContain('# Cause\n\na & b\n');
    const load = async (parts: Record<string, string>, more: object = {}) => {
      const customerId = server.world.customers.north;
      const body = { customerId, categoryId, content: zipOf(parts).toString('base64'), ...more };
      return await root.data(documentEndpoints.importDocuments, { body });
    };
    expect(await load({ [`${name}.en-US.md`]: file })).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 1,
      problems: [],
    });
    const changed = { [`${name}.en-US.md`]: file.replace('a & b', 'c') };
    expect(await load(changed, { dryRun: true })).toMatchObject({ changed: 1 });
    expect((await root.data(readDocument, { query: { id } })).body).toEqual(doc(heading('Cause'), paragraph('a & b')));
    expect(await load(changed)).toMatchObject({ changed: 1 });
    expect((await root.data(readDocument, { query: { id } })).body).toEqual(doc(heading('Cause'), paragraph('c')));
  });

  test('an unchanged export changes nothing, also of what Markdown cannot say', async () => {
    const text = (words: string, ...marks: string[]) => ({
      type: 'text',
      text: words,
      ...(marks.length > 0 ? { marks: marks.map((type) => ({ type })) } : {}),
    });
    const cell = (type: string, attrs: object, ...content: object[]) => ({ type, attrs, content });
    const table = {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [cell('tableHeader', { colspan: 2 }, paragraph('Both')), cell('tableHeader', {}, paragraph('One'))],
        },
        {
          type: 'tableRow',
          content: ['a', 'b', 'c'].map((words) => cell('tableCell', {}, paragraph(words), paragraph('below'))),
        },
      ],
    };
    const underlined = { type: 'paragraph', content: [text('Press '), text('Stop', 'underline'), text(' first')] };
    const id = await write(doc(underlined as never, table as never));
    const { name } = await root.data(readDocument, { query: { id } });
    const { bytes } = await invoke(root, documentEndpoints.exportDocuments, { query: { ids: String(id) } });
    const file = await (await openArchive(bytes, 1_000_000)).read(`${name}.en-US.md`);
    const load = async (markdown: string) => {
      const content = zipOf({ [`${name}.en-US.md`]: markdown }).toString('base64');
      return await root.data(documentEndpoints.importDocuments, {
        body: { customerId: server.world.customers.north, categoryId, content, dryRun: true },
      });
    };
    expect(await load(file)).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await load(file.replace('first', 'at once'))).toMatchObject({ changed: 1 });
  });

  test('pictures keep their files and sizes, and take the alternative text of the file', async () => {
    const picture = (alt: string) => ({ type: 'image', attrs: { file: '7', alt, width: 40, height: 30 } });
    const video = { type: 'video', attrs: { file: '8', name: 'Open.mp4' } };
    const id = await write(doc(picture('A (red) lever'), video));
    const { name } = await root.data(readDocument, { query: { id } });
    const { bytes } = await invoke(root, documentEndpoints.exportDocuments, { query: { ids: String(id) } });
    const file = await (await openArchive(bytes, 1_000_000)).read(`${name}.en-US.md`);
    expect(file).toContain('![A (red) lever](files/7)');
    const load = async (markdown: string) => {
      const content = zipOf({ [`${name}.en-US.md`]: markdown }).toString('base64');
      await root.data(documentEndpoints.importDocuments, {
        body: { customerId: server.world.customers.north, categoryId, content },
      });
      return (await root.data(readDocument, { query: { id } })).body;
    };
    expect(await load(file)).toEqual(doc(picture('A (red) lever'), video));
    expect((await root.data(readDocument, { query: { id } })).version).toBe(2);
    expect(await load(file.replace('A (red) lever', 'The lever'))).toEqual(doc(picture('The lever'), video));
    // The file of another installation.
    expect(await load(file.replace('(files/7)', '(files/9)'))).toEqual(doc(paragraph('A (red) lever'), video));
  });

  test('a new file becomes a document, and a file that cannot be stored is named', async () => {
    const parts = { 'folder/imported.zh-CN.md': '# 导入的文档', 'nameless.md': 'x', 'readme.txt': 'x' };
    const body = { categoryId, content: zipOf(parts).toString('base64') };
    const result = await root.data(documentEndpoints.importDocuments, { body });
    expect(result).toMatchObject({ created: 1, problems: [{ file: 'nameless.md' }] });
    const { items } = await root.data(listDocuments, { query: { search: 'imported' } });
    expect(items).toMatchObject([{ name: 'imported', title: '导入的文档', locale: 'zh-CN' }]);
  });

  test('an archive whose paths leave its folder is refused', async () => {
    const content = zipOf({ '../../outside.en-US.md': '# x' }).toString('base64');
    const answer = await root.call(documentEndpoints.importDocuments, { body: { categoryId, content } });
    expect(answer).toMatchObject({ code: CODES.documentArchiveOutside.code });
    expect(answer.message).toContain('../../outside.en-US.md');
  });

  test.each(['', 'eA==', Buffer.from('PK\u0003\u0004').toString('base64')])('%j is no archive', async (content) => {
    const answer = await root.call(documentEndpoints.importDocuments, { body: { categoryId, content } });
    expect(answer).toMatchObject({ code: CODES.documentArchive.code, field: 'content' });
  });
});

describe('what happened after a code', () => {
  test('counts alarms in the scope of the reader, and the commands after which they did not return', async () => {
    const { db } = server.database;
    const bindings = [{ key: 'Counted', deviceModelId: null }];
    const id = await write(doc(paragraph('a')), { customerId: null, type: 100, bindings });
    const raise = async (deviceId: number, minutesAgo: number, cleared: boolean, returned?: number) => {
      const at = new Date(Date.now() - minutesAgo * 60_000);
      const alarm = { device_id: deviceId, connector: 1, code: 'Counted', kind: 'fault', level: 'MA', info: null };
      const ended = cleared ? new Date(at.getTime() + 60_000) : null;
      const none = {
        acknowledged_at: null,
        acknowledged_by: null,
        acknowledged_by_name: null,
        acknowledged_note: null,
      };
      await db
        .insertInto('alarms')
        .values({
          ...{ ...alarm, ...none, raised_at: at, cleared_at: ended },
          last_at: returned === undefined ? at : new Date(Date.now() - returned * 60_000),
          reopened: returned === undefined ? 0 : 1,
        })
        .execute();
    };
    const north = server.world.devices.northQuay1.id;
    const south = server.world.devices.southPark1.id;
    await db.updateTable('devices').set({ soft_version: '1.4.2' }).where('id', '=', north).execute();
    await raise(north, 3_000, true);
    // It returned two minutes after the command, and ended later.
    await raise(north, 6_000, true, 5_988);
    await raise(north, 10, false);
    await raise(south, 20, true);
    for (const [device, minutesAgo] of [
      [north, 2_990],
      [north, 5_990],
      [north, 5],
    ] as const) {
      const command = db.insertInto('commands').values({
        ...{ kind: 'reset', control_type: 1, params: '{}', requested_by: null, requested_by_name: 'case' },
      });
      const { id: command_id } = await command.returning('id').executeTakeFirstOrThrow();
      const at = new Date(Date.now() - minutesAgo * 60_000);
      const execution = {
        id: randomUUID(),
        command_id,
        device_id: device,
        queued_at: at,
        deadline_at: at,
        ended_at: at,
      };
      await db
        .insertInto('executions')
        .values({ ...execution, state: 'ended', result: 2 } as never)
        .execute();
    }
    const { name: northModel } = await db
      .selectFrom('devices')
      .innerJoin('device_models', 'device_models.id', 'devices.device_model_id')
      .select('device_models.name')
      .where('devices.id', '=', north)
      .executeTakeFirstOrThrow();
    const read = (client: Client) => client.data(documentEndpoints.readCodeStatistics, { params: { id } });
    expect(await read(author)).toMatchObject({
      ...{ alarms: 3, open: 1, devices: 1 },
      models: [{ name: northModel, count: 3 }],
      firmware: [{ name: '1.4.2', count: 3 }],
      commands: [{ kind: 'reset', count: 3, resolved: 1 }],
    });
    expect(await read(await server.as('southAdmin'))).toMatchObject({ alarms: 1, open: 0, devices: 1, commands: [] });
    const home = await author.data(documentEndpoints.readDocumentHome);
    expect(home.forAlarms).toContainEqual({
      code: 'Counted',
      open: 1,
      document: expect.objectContaining({ documentId: id }),
    });
  });

  test('codes without a document are listed, most frequent first', async () => {
    const { items } = await root.data(documentEndpoints.listUnexplainedCodes, { query: {} });
    expect(items.map(({ code }) => code)).not.toContain('Counted');
  });
});
