import { createHash } from 'node:crypto';
import { ENDPOINTS, type Locale } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import type { Client } from '../apps/server/src/testing/client.ts';
import { putObject } from '../apps/server/src/testing/objects/object-keys.ts';
import { wordFile, workbook } from './documents/office-files.ts';

/** What the scenes of files, shares and documents show. */
export interface DemoFiles {
  folder: number;
  files: Record<'photo' | 'text' | 'word' | 'sheets' | 'long', number>;
  /** the tokens of links for visitors */
  links: Record<'code' | 'file' | 'folder' | 'upload' | 'ended', string>;
  /** a share whose drawer is opened */
  share: number;
  /** a document with every kind of block */
  document: { id: number; categoryId: number };
}

interface Ground {
  url: string;
  person: Client;
  /** a PNG file of this size */
  picture(width: number, height: number): Buffer;
}

const TEXT = Array.from(
  { length: 60 },
  (_, line) =>
    `2026-11-20 08:${String(line).padStart(2, '0')}:14 relay K1 ${line % 7 === 3 ? 'stuck, retry' : 'closed'}`,
).join('\n');
const LONG_NAME = '2026年第四季度华南区域直流快充桩现场巡检记录与整改照片汇总（含绝缘检测报告）-final-version-3.txt';

/** Folders, files, shares, and a document with every kind of block, as users have them after a while. */
export async function addFiles({ url, person, picture }: Ground): Promise<DemoFiles> {
  const folder = async (name: string, folderId: number | null, more: object = {}) =>
    (await person.data(ENDPOINTS.createFolder, { body: { name, folderId, ...more } })).id;
  const manuals = await folder('Manuals', null, {
    description: 'Manuals and drawings of the charging piles, 维护手册',
  });
  await folder('Wiring diagrams', manuals);
  await folder('现场照片', manuals);
  await folder('Inspections 2026', null, { readLevel: 3, writeLevel: 2, downloadLevel: 3 });
  const add = async (name: string, content: Buffer | string, more: object = {}) => {
    const credential = await person.data(ENDPOINTS.writeCredentials);
    const unique = `${createHash('sha256').update(name).digest('hex').slice(0, 12)}${name.slice(name.lastIndexOf('.'))}`;
    const key = await putObject(url, credential, unique, Buffer.from(content));
    return (await person.data(ENDPOINTS.registerAttachment, { body: { key, name, folderId: manuals, ...more } })).id;
  };
  const files = {
    photo: await add('Cabinet, open.png', picture(1_200, 800), { description: 'The cabinet with the cover removed' }),
    text: await add('controller.txt', TEXT, { type: 'log' }),
    word: await add('Replace the relay.docx', wordFile()),
    sheets: await add('站点清单.xlsx', workbook()),
    long: await add(LONG_NAME, TEXT),
  };
  for (const name of ['Old wiring.txt', '旧版巡检表.txt']) {
    await person.data(ENDPOINTS.deleteAttachment, { params: { id: await add(name, name) } });
  }
  await person.data(ENDPOINTS.deleteFolder, { params: { id: await folder('Drafts', manuals) } });
  const to = {
    days: 7,
    recipient: 'Lee, field service',
    note: 'Please follow steps 3 and 4.\n请按第 3、4 步操作。',
  } as const;
  const shareFile = (id: number, more: object = {}) =>
    person.data(ENDPOINTS.shareFile, { params: { id }, body: { ...to, code: false, ...more } });
  const protectedByCode = await shareFile(files.photo, { code: true, useLimit: 20 });
  const file = await shareFile(files.text, { days: null });
  const shared = await person.data(ENDPOINTS.shareFolder, { params: { id: manuals }, body: { ...to, code: false } });
  const upload = await person.data(ENDPOINTS.requestUploads, {
    params: { id: manuals },
    body: { ...to, code: false, useLimit: 10, byteLimit: 200 * 1024 * 1024 },
  });
  const ended = await shareFile(files.word);
  await person.data(ENDPOINTS.destroyShare, { params: { id: ended.id } });
  for (const query of ['', '&preview=true']) await fetch(`${url}/api/unauth/share/content?s=${file.token}${query}`);
  return {
    ...{ folder: manuals, files, share: file.id, document: await addDocument(person, files) },
    links: {
      ...{ code: protectedByCode.token!, file: file.token!, folder: shared.token! },
      ...{ upload: upload.token!, ended: ended.token! },
    },
  };
}

const text = (value: string, ...marks: string[]): ContentNode => ({
  ...{ type: 'text', text: value },
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
});
const paragraph = (...content: (string | ContentNode)[]): ContentNode => ({
  ...{ type: 'paragraph', content: content.map((one) => (typeof one === 'string' ? text(one) : one)) },
});
const heading = (level: number, value: string): ContentNode => ({
  ...{ type: 'heading', attrs: { level }, content: [text(value)] },
});
const list = (type: string, item: string, items: string[]): ContentNode => ({
  ...{ type, content: items.map((value) => ({ type: item, content: [paragraph(value)] })) },
});
const row = (type: string, cells: string[]): ContentNode => ({
  ...{ type: 'tableRow', content: cells.map((value) => ({ type, content: [paragraph(value)] })) },
});
const callout = (kind: string, value: string): ContentNode => ({
  ...{ type: 'callout', attrs: { kind }, content: [paragraph(value)] },
});

/** A document with every kind of block in both languages, of which the second version in English changed some. */
async function addDocument(person: Client, files: DemoFiles['files']): Promise<DemoFiles['document']> {
  const categories = await person.data(ENDPOINTS.listCategories);
  const categoryId = categories.items[0]!.id;
  const { id } = await person.data(ENDPOINTS.createDocument, {
    body: {
      ...{ name: 'every-block', type: null, categoryId, readLevel: 5, writeLevel: 3 },
      ...{ locale: 'en-US', title: 'Replace a contactor' },
    },
  });
  const save = async (locale: Locale, title: string, description: string, body: DocumentContent) => {
    const params = { id, locale };
    const { version } = await person.data(ENDPOINTS.readText, { params });
    await person.data(ENDPOINTS.saveText, { params, body: { title, description, body, baseVersion: version } });
  };
  const english = contentOf(files, (en) => en);
  const short = { ...english, content: english.content.slice(0, 4) };
  await save('en-US', 'Replace a contactor', 'Switch off, measure, replace.', short);
  await save('en-US', 'Replace a contactor', 'Switch off, measure, replace, and test with a load.', english);
  await save(
    'zh-CN',
    '更换接触器',
    '断电、验电、更换，最后带载测试。',
    contentOf(files, (_, zh) => zh),
  );
  return { id, categoryId };
}

function contentOf(files: DemoFiles['files'], t: (en: string, zh: string) => string): DocumentContent {
  const steps = [
    t('Lock the main switch', '锁定总开关'),
    t('Measure that no voltage is left', '验明无电'),
    t('Replace the contactor and tighten the screws to 4 N·m', '更换接触器，以 4 N·m 拧紧螺丝'),
  ];
  return {
    type: 'doc',
    content: [
      heading(1, t('Before you start', '开始之前')),
      callout('danger', t('High voltage. Wait for ten minutes after power-off.', '高压危险。断电后等待十分钟。')),
      paragraph(
        t('The contactor connects the vehicle. ', '接触器用于接通车辆。'),
        text(t('Never', '切勿'), 'bold'),
        t(' open it under load. See ', '在带载时断开。参见'),
        {
          ...text(t('the standard', '标准')),
          marks: [{ type: 'link', attrs: { href: 'https://example.org/standard' } }],
        },
        t(', key ', '，参数 '),
        text('HeartbeatInterval', 'code'),
        t(' and code ', ' 和代码 '),
        { type: 'mention', attrs: { kind: 'code', id: 'GroundFailure', label: 'GroundFailure' } },
        t('.', '。'),
      ),
      list('taskList', 'taskItem', steps),
      heading(2, t('Parts and limits', '备件与限值')),
      {
        type: 'table',
        content: [
          row('tableHeader', [t('Part', '部件'), t('Limit', '限值'), t('Remark', '备注')]),
          row('tableCell', ['K1', '250 A', t('Main contactor, connector 1', '1 号枪主接触器')]),
          row('tableCell', ['K2', '32 A', t('Precharge', '预充')]),
        ],
      },
      callout('info', t('Keep the old part for the supplier.', '旧件请留给供应商。')),
      callout('success', t('A contactor lasts about 100,000 cycles.', '接触器寿命约 10 万次。')),
      callout('warning', t('The screws differ between series.', '不同系列的螺丝不同。')),
      list('bulletList', 'listItem', [t('Torque wrench', '扭矩扳手'), t('Voltage tester', '验电器')]),
      list('orderedList', 'listItem', [t('Remove the cover', '拆下盖板'), t('Unplug X4', '拔下 X4')]),
      { type: 'blockquote', content: [paragraph(t('Check twice, replace once.', '先查两遍，再换一次。'))] },
      {
        type: 'codeBlock',
        attrs: { language: 'json' },
        content: [text('{\n  "key": "HeartbeatInterval",\n  "value": "300"\n}')],
      },
      { type: 'horizontalRule' },
      {
        type: 'image',
        attrs: { file: String(files.photo), alt: t('The open cabinet', '打开的机柜'), width: 480, height: 320 },
      },
      { type: 'attachment', attrs: { file: String(files.word), name: 'Replace the relay.docx', size: 2_048 } },
    ],
  };
}
