import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { attachmentEndpoints, CODES, categoryEndpoints, documentEndpoints } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../platform/http/caller.ts';
import type { Client } from '../../testing/client.ts';
import { uploadIncoming } from '../../testing/files/incoming.ts';
import { bytesOfZip } from '../../testing/files/zip-names.ts';
import { invoke } from '../../testing/invoke.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exportDocuments } from './export.service.ts';

const { checkDocumentExport, createDocument, saveText } = documentEndpoints;

let server: TestServer;
let root: Client;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  const names = { parentId: null, nameEn: 'Exported', nameZh: '导出' };
  categoryId = (await root.data(categoryEndpoints.createCategory, { body: names })).id;
});
afterAll(() => server.stop());

const IEND = Buffer.from('0000000049454e44ae426082', 'hex');
const pngOf = (size = 1_000) =>
  Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), randomBytes(size), IEND]);
const image = (file: number, alt: string, more: object = {}): ContentNode => ({
  type: 'image',
  attrs: { file: String(file), alt, ...more },
});

async function add(name: string): Promise<number> {
  const values = {
    name,
    type: null,
    categoryId,
    readLevel: 5,
    writeLevel: 5,
    title: 'Title',
    locale: 'en-US',
  } as const;
  return (await root.data(createDocument, { body: values })).id;
}

async function publish(id: number, ...content: ContentNode[]): Promise<void> {
  const body: DocumentContent = { type: 'doc', content };
  const text = { title: 'Title', description: '', baseVersion: 1, body };
  await root.data(saveText, { params: { id, locale: 'en-US' }, body: text });
}

async function attach(documentId: number, name: string, bytes: Buffer): Promise<number> {
  const key = await uploadIncoming(server.url, root, bytes, name.split('.').at(-1));
  return (await root.data(attachmentEndpoints.registerAttachment, { body: { key, name, documentId } })).id;
}

async function exported(client: Client, ...ids: number[]): Promise<Record<string, Buffer>> {
  return await bytesOfZip(
    (await invoke(client, documentEndpoints.exportDocuments, { query: { ids: ids.join(',') } })).bytes,
  );
}

test('an export has the pictures and files of its documents, once each, with relative links', async () => {
  const [one, two] = [await add('Two pictures'), await add('Same picture')];
  const [lever, relay, manual] = [pngOf(), pngOf(), Buffer.from('%PDF-1.7 manual\nstartxref\n0\n%%EOF')];
  const leverId = await attach(one, '杠杆 100% #1.png', lever);
  const relayId = await attach(one, 'relay.PNG', relay);
  const manualId = await attach(one, 'manual.pdf', manual);
  const file = { type: 'attachment', attrs: { file: String(manualId), name: 'Manual', size: manual.length } };
  await publish(one, image(leverId, 'Lever', { width: 40, height: 30 }), image(relayId, ''), file);
  await publish(two, image(leverId, 'Again'));
  const files = await exported(root, one, two);
  expect(Object.keys(files)).toEqual([
    ...['Same picture.en-US.md', 'Two pictures.en-US.md', 'files/manual.pdf', 'images/relay.PNG'],
    'images/杠杆 100% #1.png',
  ]);
  expect(files['images/杠杆 100% #1.png']!.equals(lever)).toBe(true);
  expect(files['images/relay.PNG']!.equals(relay)).toBe(true);
  expect(files['files/manual.pdf']!.equals(manual)).toBe(true);
  const markdown = files['Two pictures.en-US.md']!.toString();
  expect(markdown).toContain('![Lever](<images/杠杆 100%25 %231.png>)');
  expect(markdown).toContain('![](images/relay.PNG)');
  expect(markdown).toContain('[Manual](files/manual.pdf)');
  expect(markdown).toContain('sizes: {"images/杠杆 100% #1.png":[40,30]}');
});

test('files that the caller may not download are left out, and the archive says which', async () => {
  const id = await add('Secret picture');
  const pictureId = await attach(id, 'secret.png', pngOf());
  await publish(id, image(pictureId, 'A picture'), image(2_000_000_000, 'Gone'));
  const { revision } = await root.data(attachmentEndpoints.readAttachment, { params: { id: pictureId } });
  const body = { downloadLevel: 0, revision } as const;
  await root.data(attachmentEndpoints.updateAttachment, { params: { id: pictureId }, body });
  expect(Object.keys(await exported(root, id))).toContain('images/secret.png');
  const query = { ids: String(id) };
  expect(await root.data(checkDocumentExport, { query })).toMatchObject({ documents: 1, files: 1, leftOutFiles: 1 });
  const reader = await server.as('northAdmin');
  const files = await exported(reader, id);
  expect(Object.keys(files)).toEqual(['Secret picture.en-US.md', 'left-out.txt']);
  expect(files['Secret picture.en-US.md']!.toString()).toContain(`![A picture](files/${pictureId})`);
  const list = files['left-out.txt']!.toString();
  expect(list).toMatch(/Secret picture\.en-US\.md · A picture · .*permission/);
  expect(list).toContain('Secret picture.en-US.md · Gone · ');
  // The page names them before the export.
  const at = { documentId: id, locale: 'en-US', title: 'Title' };
  expect(await reader.data(checkDocumentExport, { query })).toEqual({
    ...{ documents: 1, files: 0, bytes: 0, leftOutFiles: 2 },
    leftOut: [
      { ...at, name: 'A picture', message: expect.stringContaining('permission') },
      { ...at, name: 'Gone', message: expect.any(String) },
    ],
  });
});

test('texts and codes of many documents are read together', async () => {
  const ids = await Promise.all(Array.from({ length: 24 }, (_, index) => add(`Counted ${index}`)));
  let statements = 0;
  const db = server.database.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const files = { downloads: () => Promise.reject(new Error()), openContent: () => Promise.reject(new Error()) };
  const levels = { wiki: { read: 0, write: 0, download: 0 } } as Caller['levels'];
  const archive = await exportDocuments(
    db,
    files,
    { scope: { customers: 'all', sites: 'all' }, levels, locale: 'en-US' } as Caller,
    { ids },
  );
  expect(Object.keys(await bytesOfZip(await buffer(archive)))).toHaveLength(24);
  expect(statements).toBeLessThan(12);
});

test('an export beyond the limits is refused before its first byte', async () => {
  const id = await add('Many pictures');
  const many = Array.from({ length: 5_001 }, (_, index) => image(1_900_000_000 + index, ''));
  await server.database.db
    .updateTable('document_texts')
    .set({ body: JSON.stringify({ type: 'doc', content: many }) as never })
    .where('document_id', '=', id)
    .execute();
  const answer = await root.call(documentEndpoints.exportDocuments as never, { query: { ids: String(id) } } as never);
  expect(answer).toMatchObject({ code: CODES.documentExportLarge.code });
});
