import { createHash } from 'node:crypto';
import {
  alarmEndpoints,
  attachmentEndpoints,
  auditEndpoints,
  categoryEndpoints,
  documentEndpoints,
  fleetEndpoints,
} from '@chargehand/contract';
import type { Client } from '../client.ts';
import { uploadIncoming } from '../files/incoming.ts';

/** The administrator of every fixture. */
export const ACCOUNT = { userName: 'administrator', password: 'Harbour-lamp-47-north' };

/** What a version showed of its data, and every later version must show. */
export interface Expected {
  /** the time of the answers */
  until: string;
  devices: string[];
  /** the ids of all alarms */
  alarms: number[];
  /** of each device, by its SN: the number of its frames, and a hash of their texts */
  frames: Record<string, { count: number; sha256: string }>;
  document: { id: number; title: string; text: string };
  file: { id: number; content: string };
}

/** Adds a document with a text. @returns its id */
export async function addDocument(root: Client): Promise<number> {
  const names = { parentId: null, nameEn: 'Cabinet', nameZh: '机柜' };
  const { id: categoryId } = await root.data(categoryEndpoints.createCategory, { body: names });
  const document = { name: 'cabinet', type: null, categoryId, readLevel: 5, writeLevel: 5 } as const;
  const body = { ...document, locale: 'en-US', title: 'Cabinet' } as const;
  const { id } = await root.data(documentEndpoints.createDocument, { body });
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Keys are in the cabinet. 钥匙在柜子里。' }] };
  const text = { title: 'Cabinet', description: '', baseVersion: 1, body: { type: 'doc', content: [paragraph] } };
  await root.data(documentEndpoints.saveText, { params: { id, locale: 'en-US' }, body: text as never });
  return id;
}

/** Adds a file. @returns its id */
export async function addFile(url: string, root: Client): Promise<number> {
  const key = await uploadIncoming(url, root, 'Serial numbers of the north quay.\n');
  const { id } = await root.data(attachmentEndpoints.registerAttachment, { body: { key, name: 'serials.txt' } });
  return id;
}

/** Reads what the test of upgrades compares, without what was added after `until` or after the alarm `newestAlarm`. */
export async function readExpected(
  root: Client,
  query: { until: string; document: number; file: number; newestAlarm?: number },
): Promise<Expected> {
  const { until, document, file, newestAlarm = Number.POSITIVE_INFINITY } = query;
  const { items: devices } = await root.data(fleetEndpoints.listDevices);
  const frames: Expected['frames'] = {};
  for (const { id, sn } of devices) frames[sn] = await framesOf(root, id, until);
  const { items: alarms } = await root.data(alarmEndpoints.selectAlarms);
  const { title, body } = await root.data(documentEndpoints.readDocument, { query: { id: document } });
  const content = await root.fetch(`/api/auth/sys/attachments/${file}/content?download=true`);
  return {
    until,
    devices: devices.map(({ sn }) => sn).sort(),
    alarms: alarms.flatMap(({ id }) => (id > newestAlarm ? [] : [id])).sort((a, b) => a - b),
    frames,
    document: { id: document, title: title ?? '', text: JSON.stringify(body) },
    file: { id: file, content: await content.text() },
  };
}

async function framesOf(root: Client, id: number, until: string): Promise<{ count: number; sha256: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for (let before: number | undefined; ; ) {
    const query = { to: until, limit: 500, ...(before === undefined ? {} : { before }) };
    const { items } = await root.data(auditEndpoints.listFrames, { params: { id }, query });
    for (const { type, body } of items) hash.update(`${type} ${body ?? ''}\n`);
    count += items.length;
    before = items.at(-1)?.id;
    if (items.length < 500) return { count, sha256: hash.digest('hex') };
  }
}
