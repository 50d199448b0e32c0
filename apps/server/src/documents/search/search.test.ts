import { categoryEndpoints, documentEndpoints, type Locale } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createDocument, saveText, searchDocuments } = documentEndpoints;

let server: TestServer;
let root: Client;
let reader: Client;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  reader = await server.as('northAdmin');
  const names = { parentId: null, nameEn: 'Faults', nameZh: '故障' };
  categoryId = (await root.data(categoryEndpoints.createCategory, { body: names })).id;
});
afterAll(() => server.stop());

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const heading = (text: string) => ({ type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text }] });

let count = 0;
/** Publishes a document. @returns its id */
async function write(
  title: string,
  content: DocumentContent['content'],
  { locale = 'zh-CN' as Locale, readLevel = 5 } = {},
): Promise<number> {
  count += 1;
  const values = { name: `doc ${count}`, type: null, categoryId, readLevel, writeLevel: readLevel, title, locale };
  const { id } = await root.data(createDocument, { body: values as never });
  const body = { title, description: '', baseVersion: 1, body: { type: 'doc', content } } as never;
  await root.data(saveText, { params: { id, locale }, body });
  return id;
}

const find = (search: string, more: object = {}, client = root) =>
  client.data(searchDocuments, { query: { search, ...more } });
/** The documents that a search finds, the best first. */
const found = async (search: string, client = root) =>
  (await find(search, {}, client)).items.map(({ documentId }) => documentId);

describe('by pinyin', () => {
  let id: number;
  beforeAll(async () => {
    const text = '重启后长时间检查断路器。';
    id = await write('接地故障', [heading('绝缘监测仪报警'), paragraph(text)]);
  });

  test.each([
    ['in full', 'jiediguzhang'],
    ['with blanks', 'jie di gu zhang'],
    ['in words', 'jiedi guzhang'],
    ['with tones', 'jiēdì gùzhàng'],
    ['with numbers of tones', 'jie1di4gu4zhang4'],
    ['while it is typed', 'jiediguzh'],
    ['in capitals', 'JIEDI'],
    ['by the initials of the title', 'jdgz'],
    ['by the initials of a heading', 'jyjcy'],
    ['in the text', 'duanluqi'],
    ['with a character of two readings', 'chongqi'],
    ['with the other reading of a character', 'changshijian'],
    ['together with Chinese', 'duanluqi 检查'],
    ['with words of the title and the text', 'guzhang duanluqi'],
  ])('%s', async (_how, search) => {
    expect(await found(search)).toContain(id);
  });

  test.each([
    ['the syllables in another order', 'guzhangjiedi'],
    ['one syllable', 'jie'],
    ['two initials', 'jd'],
    ['initials of the text', 'dlqi'],
    ['a syllable too many', 'jiediguzhangjie'],
  ])('not by %s', async (_how, search) => {
    expect(await found(search)).not.toContain(id);
  });

  test('after the texts that have the letters themselves', async () => {
    const named = await write('Fault GuZhang Inc', [paragraph('x')], { locale: 'en-US' });
    expect((await found('guzhang')).slice(0, 2)).toEqual([named, id]);
  });

  test('a word that occurs in the documents finds Chinese titles and headings only', async () => {
    const word = await write('Mode', [paragraph('mode')], { locale: 'en-US' });
    const text = await write('无', [paragraph('规模的变化')]);
    const title = await write('规模的变化', [paragraph('无')]);
    expect(await found('mode')).toEqual([word, title]);
    expect(await found('guimode')).toEqual(expect.arrayContaining([text, title]));
  });

  test('the hit leads to the heading and marks the Chinese text', async () => {
    const { items, corrected } = await find('duanluqi');
    expect(corrected).toBeNull();
    expect(items[0]).toMatchObject({ documentId: id, heading: '绝缘监测仪报警', anchor: '绝缘监测仪报警' });
    const { excerpt, marks } = items[0]!;
    expect(marks.map(({ start, length }) => excerpt.slice(start, start + length))).toEqual(['断路器']);
  });
});

describe('with typing errors', () => {
  let id: number;
  beforeAll(async () => {
    const text = 'The precharge resistor and the thermostat are checked.';
    id = await write('Varistor', [heading('Precharge'), paragraph(text)], { locale: 'en-US' });
    await write('漏电保护', [paragraph('残余电流动作，取额定电流')]);
  });

  test.each([
    ['prechagre', 'precharge'],
    ['prechrg', null],
    ['thermotsta', 'thermostat'],
    ['checkde resistor', 'checked resistor'],
    ['varistr resistor', 'varistor resistor'],
    ['resistpr', 'resistor'],
    ['thf', null],
    // A Chinese character of the same sound.
    ['漏店保护', '漏电保护'],
    ['残鱼电流', '残余电流'],
    ['漏店', null],
    // Pinyin without the apostrophe of qu'e.
    ['queding', 'qu eding'],
  ])('%s is searched as %s', async (search, corrected) => {
    const answer = await find(search);
    expect(answer.corrected).toBe(corrected);
    expect(answer.items.length > 0).toBe(corrected !== null);
  });

  test('the hits of the right word are shown and marked, unless the exact text is wanted', async () => {
    const { items, suggestion } = await find('prechagre');
    expect([items[0]?.documentId, suggestion]).toEqual([id, null]);
    const { excerpt, marks } = items[0]!;
    expect(marks.map(({ start, length }) => excerpt.slice(start, start + length))).toEqual(['precharge']);
    expect(await find('prechagre', { exact: true })).toMatchObject({ items: [], corrected: null });
  });

  test('a word that is found is not changed', async () => {
    await write('Resistors', [paragraph('resister')], { locale: 'en-US' });
    expect(await find('resister')).toMatchObject({ corrected: null, items: [{ title: 'Resistors' }] });
  });

  test('nobody learns words of documents that they may not read', async () => {
    await write('Confidential', [paragraph('Moonbeamer')], { locale: 'en-US', readLevel: 0 });
    expect(await find('moonbaemer')).toMatchObject({ corrected: 'moonbeamer' });
    expect(await find('moonbaemer', {}, reader)).toMatchObject({ items: [], corrected: null, suggestion: null });
    expect(await found('yuanshanjing', reader)).toEqual([]);
  });
});

describe('of a whole document', () => {
  test('words of the title and of a section are found together, and lead to the section', async () => {
    await write('Gearbox', [heading('Noise'), paragraph('x'), heading('Leaks'), paragraph('flange')], {
      locale: 'en-US',
    });
    expect((await find('gearbox flange')).items).toMatchObject([{ title: 'Gearbox', heading: 'Leaks' }]);
    expect((await find('gearbox')).items).toMatchObject([{ title: 'Gearbox', heading: null }]);
  });

  test('that has most of the words is found when none has all of them', async () => {
    const both = await write('Pulley', [paragraph('sprocket chain')], { locale: 'en-US' });
    const one = await write('Winch', [paragraph('sprocket')], { locale: 'en-US' });
    expect(await find('sprocket chain')).toMatchObject({ partial: false, items: [{ documentId: both }] });
    const answer = await find('sprocket chain hydraulics');
    expect(answer.items.map(({ documentId }) => documentId)).toEqual([both, one]);
    expect(answer).toMatchObject({ partial: true, corrected: null });
    expect(await find('quuxly hydraulics')).toMatchObject({ items: [], partial: false });
  });

  test('a whole question finds what it is about', async () => {
    const chinese = await write('绝缘电阻低', [paragraph('测量直流侧对地绝缘。')]);
    const english = await write('Insulation resistance low', [paragraph('Measure it.')], { locale: 'en-US' });
    expect((await found('绝缘电阻过低怎么办'))[0]).toBe(chinese);
    expect(await found('绝缘电阻低怎么处理？')).toEqual([chinese]);
    const answer = await find('what to do when insulation resistance is low');
    expect(answer).toMatchObject({ partial: false, corrected: null, items: [{ documentId: english }] });
    expect(await found('what to do when insulation resistance is low', reader)).toEqual([english]);
  });

  test('is one hit, in the language of the reader', async () => {
    const id = await write('Undervoltage bus', [paragraph('Undervoltage of the bus.')], { locale: 'en-US' });
    const zh = {
      title: '母线欠压',
      description: '',
      baseVersion: 0,
      body: { type: 'doc', content: [paragraph('undervoltage')] },
    };
    await root.data(saveText, { params: { id, locale: 'zh-CN' }, body: zh as never });
    const other = await write('欠压 undervoltage undervoltage', [paragraph('undervoltage')]);
    const hits = async (client: Client) =>
      (await find('undervoltage', {}, client)).items.map(({ documentId, locale }) => [documentId, locale]);
    expect(await hits(root)).toEqual([
      [id, 'en-US'],
      [other, 'zh-CN'],
    ]);
    const chinese = await hits(await server.as('root', 'zh-CN'));
    expect(chinese).toEqual(
      expect.arrayContaining([
        [id, 'zh-CN'],
        [other, 'zh-CN'],
      ]),
    );
    expect(chinese).toHaveLength(2);
  });

  test('a former title no longer finds it', async () => {
    const id = await write('Formerly', [heading('Same'), paragraph('valve')], { locale: 'en-US' });
    const body = {
      title: 'Nowadays',
      description: '',
      baseVersion: 2,
      body: { type: 'doc', content: [heading('Same'), paragraph('valve')] },
    };
    await root.data(saveText, { params: { id, locale: 'en-US' }, body: body as never });
    expect(await found('formerly')).toEqual([]);
    expect(await found('nowadays valve')).toEqual([id]);
  });

  test('names of attachments are found with words of every section', async () => {
    const file = { type: 'attachment', attrs: { file: 1, name: '接线图_rev7.pdf' } };
    const { storeSections } = await import('./sections.ts');
    const id = await write('Wiring', [heading('A'), paragraph('clamp')], { locale: 'en-US' });
    const body: DocumentContent = { type: 'doc', content: [heading('A'), paragraph('clamp'), heading('B'), file] };
    const text = { id, locale: 'en-US', title: 'Wiring', description: '', body } as const;
    await server.database.db.transaction().execute((trx) => storeSections(trx, [text]));
    for (const search of ['rev7 clamp', '线图 clamp', 'jiexiantu clamp'])
      expect([search, await found(search)]).toEqual([search, [id]]);
  });

  test('texts of an earlier release are indexed by the job', async () => {
    const id = await write('风扇', [paragraph('ventilator')]);
    const { pool } = server.database;
    await pool.query(`update document_sections set sounds = '' where document_id = $1`, [id]);
    await pool.query('update document_texts set indexed = false where document_id = $1', [id]);
    expect(await found('fengshan')).toEqual([]);
    await server.sweep();
    expect(await found('fengshan')).toEqual([id]);
  });
});

describe('any text', () => {
  test('every piece of one to six characters of a Chinese text finds it', async () => {
    const han = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code));
    // Also characters of two UTF-16 units.
    const rare = fc.integer({ min: 0x20000, max: 0x20100 }).map((code) => String.fromCodePoint(code));
    const text = fc.array(fc.oneof({ weight: 9, arbitrary: han }, { weight: 1, arbitrary: rare }), {
      minLength: 8,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(text, async (characters) => {
        const id = await write('随机', [paragraph(characters.join(''))]);
        for (let length = 1; length <= 6; length += 1) {
          for (let at = 0; at + length <= characters.length; at += 1) {
            const piece = characters.slice(at, at + length).join('');
            expect([piece, (await found(piece)).includes(id)]).toEqual([piece, true]);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  test.each([
    ...['%', '\\', "'", '"', "' | 'a", '$1', ':*', '😀', '😀接地', 'مرحبا', '\uFFFD', '接'.repeat(200)],
    ...['a '.repeat(100), 'xian'.repeat(50), "'".repeat(200), 'zhuang'.repeat(33), 'guzhangx'.repeat(25)],
  ])('%j is answered', async (search) => {
    expect((await root.call(searchDocuments, { query: { search } })).code).toBe(0);
  });

  test.each(['a'.repeat(10_000), '接'.repeat(201), '\0', '\u202Eabc'])(
    '%j is refused with the name of the field',
    async (search) => {
      const answer = await root.call(searchDocuments, { query: { search } });
      expect(answer).toMatchObject({ field: 'search', data: null });
    },
  );

  test('half a character of two units is answered', async () => {
    const response = await root.fetch(`${searchDocuments.path}?search=%ED%A0%80`);
    expect(response.status).toBeLessThan(500);
  });
});
