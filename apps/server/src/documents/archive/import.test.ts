import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { attachmentEndpoints, CODES, categoryEndpoints, documentEndpoints } from '@chargehand/contract';
import { type DocumentContent, filesOf, visit } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { Client } from '../../testing/client.ts';
import { uploadIncoming } from '../../testing/files/incoming.ts';
import { zipOf } from '../../testing/files/zip.ts';
import { invoke } from '../../testing/invoke.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { exportDocuments, importDocuments, listDocuments, readDocument } = documentEndpoints;

let server: TestServer;
let root: Client;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  categoryId = await addCategory(root);
});
afterAll(() => server.stop());

async function addCategory(client: Client): Promise<number> {
  const names = { parentId: null, nameEn: 'Imported', nameZh: '导入' };
  return (await client.data(categoryEndpoints.createCategory, { body: names })).id;
}

const IEND = Buffer.from('0000000049454e44ae426082', 'hex');
const pngOf = (size = 1_000) =>
  Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), randomBytes(size), IEND]);

async function archiveOf(parts: Record<string, string | Buffer>, links: Record<string, string> = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), path);
  for (const [path, target] of Object.entries(links)) zip.addBuffer(Buffer.from(target), path, { mode: 0o120777 });
  zip.end();
  return await buffer(zip.outputStream);
}

async function load(archive: Buffer, more: object = {}, client: Client = root, into = categoryId) {
  const body = { categoryId: into, content: archive.toString('base64'), ...more };
  return await client.data(importDocuments, { body });
}

async function textOf(name: string, locale: 'en-US' | 'zh-CN' = 'en-US', client: Client = root) {
  const { items } = await client.data(listDocuments, { query: { search: name } });
  const { id } = items.find((item) => item.name === name)!;
  return await client.data(readDocument, { query: { id, locale } });
}

async function contentOf(id: number, client: Client = root): Promise<Buffer> {
  return Buffer.from(await (await client.fetch(`/api/auth/sys/attachments/${id}/content`)).arrayBuffer());
}

/** The bytes of the files of a text, in their order. */
async function bytesOf(body: DocumentContent): Promise<Buffer[]> {
  return await Promise.all(filesOf(body).map((id) => contentOf(id)));
}

/** A content with its files numbered, to compare it across servers. */
function numbered(body: DocumentContent): DocumentContent {
  const ids = filesOf(body).map(String);
  const copy = structuredClone(body);
  visit(copy, ({ attrs }) => {
    if (attrs?.file !== undefined) attrs.file = String(ids.indexOf(String(attrs.file)));
  });
  return copy;
}

const attachments = async () => (await root.data(attachmentEndpoints.listAttachments, { query: {} })).total;

test('pictures and files become files of the document, and a second import adds none', async () => {
  const [lever, relay, manual, video] = [
    pngOf(),
    pngOf(),
    Buffer.from('%PDF-1.7 x\nstartxref\n0\n%%EOF'),
    Buffer.from('0000ftypisom0000'),
  ];
  const markdown = [
    ...['# Guide', '', '![Lever](images/lever.png "A title")', '', '| a |', '| - |', '| ![Relay](<images/a b.png>) |'],
    ...['', '[Manual](files/manual.pdf)', '', '[Opening it](files/open.mp4)', '', '[Home](/docs)'],
  ].join('\n');
  const archive = await archiveOf({
    ...{ 'Guide.en-US.md': markdown, 'Guide.zh-CN.md': '![杠杆](images/lever.png)', 'images/lever.png': lever },
    ...{ 'images/a b.png': relay, 'files/manual.pdf': manual, 'files/open.mp4': video, 'images/unused.png': pngOf() },
  });
  const before = await attachments();
  const texts = ['Guide.en-US.md', 'Guide.zh-CN.md'].map((file, at) => ({
    ...{ file, title: 'Guide', state: at === 0 ? 'created' : 'changed' },
  }));
  expect(await load(archive, { dryRun: true })).toMatchObject({ files: 4, problems: [], leftOut: [], texts });
  expect(await attachments()).toBe(before);
  expect(await load(archive)).toMatchObject({ files: 4, problems: [], leftOut: [], texts });
  const { body } = await textOf('Guide');
  expect(await bytesOf(body)).toEqual([lever, relay, manual, video]);
  const types: string[] = [];
  visit(body, ({ type, attrs }) => void (attrs?.file !== undefined && types.push(type)));
  expect(types).toEqual(['image', 'image', 'attachment', 'video']);
  expect(await bytesOf((await textOf('Guide', 'zh-CN')).body)).toEqual([lever]);
  expect(await attachments()).toBe(before + 4);

  expect(await load(archive)).toMatchObject({ created: 0, changed: 0, unchanged: 2, files: 0 });
  expect(await attachments()).toBe(before + 4);
});

test('archives of other tools: one language for all files, inner archives, links between documents, all that is left out', async () => {
  const id = '0123456789abcdef0123456789abcdef';
  const inner = await archiveOf({
    [`Out/Station ${id}.md`]: `# Station\n\nSee [steps](Station%20${id}/Steps%20${id}.md) and [gone](gone.md)`,
    [`Out/Station ${id}/Steps ${id}.md`]: `# Steps\n\nBack to [station](../Station%20${id}.md)`,
    ...{
      'Out/one/README.md': '# One',
      'Out/two/README.md': '# Two',
      '__MACOSX/Out/._a.md': 'x',
      'Out/._b.md': 'x',
      'Out/x.csv': 'a,b',
    },
  });
  const archive = await archiveOf({ 'Part-1.zip': inner, '.DS_Store': 'x' });
  expect(await load(archive, { dryRun: true })).toMatchObject({ created: 0, withoutLocale: 4 });
  const result = await load(archive, { locale: 'en-US' });
  expect(result).toMatchObject({ created: 4, withoutLocale: 4, problems: [], unused: ['Out/x.csv'] });
  expect(result.leftOut.map(({ file, line }) => [file, line])).toEqual([[`Out/Station ${id}.md`, 3]]);
  const documents = new Map(result.texts.map(({ title, documentId }) => [title, documentId]));
  expect(JSON.stringify((await textOf('Station')).body)).toContain(`/manage/docs/detail/${documents.get('Steps')}"`);
  expect(JSON.stringify((await textOf('Steps')).body)).toContain(`/manage/docs/detail/${documents.get('Station')}"`);
  expect((await textOf('two README')).title).toBe('Two');
  expect(await load(archive, { locale: 'en-US' })).toMatchObject({ created: 0, changed: 0, unchanged: 4 });
});

test('documents of one server are the same on another one, in both languages', async () => {
  const parts = {
    'Moved.en-US.md':
      '---\nsizes: {"a.png":[40,30]}\n---\n\n# Title\n\n![A](a.png)\n\n> [!WARNING]\n> Hot\n\n![B](b.png)',
    'Moved.zh-CN.md': '# 标题\n\n![甲](a.png)\n\n1. 一\n2. 二',
  };
  await load(await archiveOf({ ...parts, 'a.png': pngOf(), 'b.png': pngOf(200_000) }));
  const { id } = await textOf('Moved');
  const { bytes } = await invoke(root, exportDocuments, { query: { ids: String(id) } });
  const other = await startTestServer({ captcha: false });
  try {
    const client = await other.as('root');
    const result = await load(bytes, {}, client, await addCategory(client));
    expect(result).toMatchObject({ created: 1, changed: 1, files: 2, problems: [], leftOut: [] });
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const [mine, theirs] = [await textOf('Moved', locale), await textOf('Moved', locale, client)];
      expect(theirs.title).toBe(mine.title);
      expect(numbered(theirs.body)).toEqual(numbered(mine.body));
      const copies = await Promise.all(filesOf(theirs.body).map((file) => contentOf(file, client)));
      expect(copies).toEqual(await bytesOf(mine.body));
    }
    const [first] = (await textOf('Moved', 'en-US', client)).body.content.filter(({ type }) => type === 'image');
    expect(first?.attrs).toMatchObject({ width: 40, height: 30 });
  } finally {
    await other.stop();
  }
});

test('every way to name a picture is understood', async () => {
  const names = ['图片.png', 'รูป.png', 'UPPER.PNG', 'a+b&c.png', '100%41.png'];
  const markdown = [
    ...[
      '![1](图片.png)',
      '![2](%E0%B8%A3%E0%B8%B9%E0%B8%9B.png)',
      '![3][ref]',
      '<img alt="4" src="a+b&amp;c.png" width=9>',
    ],
    ...['![5](100%2541.png)', '[ref]: upper.png "Title"'],
  ].join('\n\n');
  const pictures = Object.fromEntries(names.map((name) => [name, pngOf()] as const));
  const archive = await archiveOf({ 'Names.en-US.md': markdown, ...pictures });
  expect(await load(archive)).toMatchObject({ files: 5, problems: [], leftOut: [] });
  const { body } = await textOf('Names');
  expect(await bytesOf(body)).toEqual(names.map((name) => pictures[name]));
});

test('an archive of an old Chinese Windows is read: names and texts in GBK', async () => {
  // 接线 and 小. In UTF-8, the bytes of the second one are a letter, too: the other name decides.
  const [wiring, small] = ['\u00bd\u00d3\u00cf\u00df', '\u00d0\u00a1'];
  const markdown = Buffer.from(`# ${wiring}\n\n![A](${small}.png)`, 'latin1');
  const archive = zipOf({ [`${wiring}.zh-CN.md`]: markdown, [`${small}.png`]: pngOf() }, undefined, 'latin1');
  expect(await load(archive)).toMatchObject({
    ...{ created: 1, files: 1, leftOut: [] },
    texts: [{ file: '接线.zh-CN.md', title: '接线', state: 'created' }],
  });
});

test('what cannot be shown is reported with its file and line, and its text stays', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const markdown = [
    ...[
      '---',
      'title: "Hostile"',
      '---',
      '',
      '![outside](../x.png)',
      '![etc](/etc/passwd)',
      '![far](https://example.org/a.png)',
    ],
    ...['![svg](a.svg)', '![page](page.png)', '![link](link.png)', '![case](b.PNG)', '[gone](files/gone.pdf)', ''],
    ...['<p><img src="none.png" alt="html"></p>', '', '![empty](empty.png)'],
  ].join('\n');
  const archive = await archiveOf(
    {
      ...{ 'in/Hostile.en-US.md': markdown, 'in/a.svg': svg, 'in/page.png': '<script>alert(1)</script>' },
      ...{ 'in/B.png': pngOf(), 'in/b.png': pngOf(), 'in/empty.png': '' },
    },
    { 'in/link.png': '/etc/passwd' },
  );
  const before = await attachments();
  const { created, files, leftOut } = await load(archive);
  expect({ created, files }).toEqual({ created: 1, files: 0 });
  expect(await attachments()).toBe(before);
  const lines = leftOut.map(({ file, line, message }) => `${file}:${line} ${message}`);
  const expected = [
    /^in\/Hostile\.en-US\.md:5 \.\.\/x\.png is not in the archive/,
    /:6 \/etc\/passwd is not in the archive/,
    /:7 https:\/\/example\.org\/a\.png is on another server/,
    /:8 a\.svg · .*unsupported file type/,
    /:9 page\.png · .*does not match its extension/,
    /:10 .*link\.png is a link to another file/,
    /:11 Several files .*b\.PNG/,
    /:12 files\/gone\.pdf is not in the archive/,
    /:14 none\.png is not in the archive/,
    /:16 empty\.png · .*empty/,
  ];
  expect(lines).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(pattern);
  const { body } = await textOf('Hostile');
  expect(filesOf(body)).toEqual([]);
  expect(JSON.stringify(body)).toContain('outside');
});

test('an archive without pictures keeps those that the document shows', async () => {
  const picture = pngOf();
  await load(await archiveOf({ 'Kept.en-US.md': '![A](images/kept.png)', 'images/kept.png': picture }));
  const archive = await archiveOf({ 'Kept.en-US.md': 'New\n\n![A](images/kept.png)' });
  expect(await load(archive)).toMatchObject({ changed: 1, files: 0, leftOut: [] });
  expect(await bytesOf((await textOf('Kept')).body)).toEqual([picture]);
});

test('a large archive is uploaded, and read where it is', async () => {
  const picture = pngOf(3_000_000);
  const archive = await archiveOf({ 'Uploaded.en-US.md': '![A](a.png)', 'a.png': picture });
  const key = await uploadIncoming(server.url, root, archive, 'zip');
  const result = await root.data(importDocuments, { body: { categoryId, key } });
  expect(result).toMatchObject({ created: 1, files: 1, leftOut: [] });
  expect(await bytesOf((await textOf('Uploaded')).body)).toEqual([picture]);
  const foreign = key.replace(/\/u[0-9]+\//, `/u${server.world.users.northAdmin}/`);
  const answer = await root.call(importDocuments, { body: { categoryId, key: foreign } });
  expect(answer.code).toBe(CODES.fileUnknown.code);
});

describe('an archive is refused', () => {
  const refused = async (archive: Buffer) =>
    (await root.call(importDocuments, { body: { categoryId, content: archive.toString('base64') } })).code;

  test.each([
    '../Evil.en-US.md',
    'docs/../../Evil.en-US.md',
    '..\\Evil.en-US.md',
    '/etc/Evil.en-US.md',
    'C:\\Evil.en-US.md',
  ])('with all its entries, when one points out of it: %s', async (path) => {
    expect(await refused(zipOf({ 'Good.en-US.md': '# Good', [path]: '# Evil' }))).toBe(
      CODES.documentArchiveOutside.code,
    );
    const { items } = await root.data(listDocuments, { query: { categoryId } });
    expect(items.filter(({ name }) => /Good|Evil/.test(name))).toEqual([]);
  });

  test('with 12,000 entries, before they are read', async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => [`${index}.txt`, ''] as const);
    expect(await refused(zipOf(Object.fromEntries(names)))).toBe(CODES.documentArchiveLarge.code);
  });

  test('with more Markdown than is read', async () => {
    const parts = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`${i}.en-US.md`, 'a'.repeat(1_000_000)]));
    expect(await refused(zipOf(parts))).toBe(CODES.documentArchiveLarge.code);
  });

  test('only as far as a picture is too large for its kind', async () => {
    const parts = { 'Bomb.en-US.md': '![A](a.png)', 'a.png': Buffer.concat([pngOf(), Buffer.alloc(30_000_000)]) };
    const large = await load(zipOf(parts));
    expect(large).toMatchObject({ created: 1, files: 0, leftOut: [{ file: 'Bomb.en-US.md', line: 1 }] });
  });
});
