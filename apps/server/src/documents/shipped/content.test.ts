import { LOCALES } from '@chargehand/contract';
import {
  type ContentNode,
  cleanContent,
  DOCUMENT_TYPES,
  GENERIC_FAULT,
  headingsOf,
  MANUAL_PAGES,
  OFFLINE_ALARM,
  safeLink,
  textOfContent,
  visit,
} from '@chargehand/domain';
import { expect, test } from 'vitest';
import { contentFromMarkdown } from '../markdown/from-markdown.ts';
import { contentToMarkdown } from '../markdown/to-markdown.ts';
import { SHIPPED_CATEGORIES } from './catalog.ts';
import { readShippedFiles } from './shipped-files.ts';
import parse, { type ParsedFile } from './shipped-worker.ts';

const files = parse(await readShippedFiles());
const codes = new Set(files.flatMap((file) => file.codes));

/** OCPP 1.6 §7.6 without NoError. */
const OCPP16 = [
  ...['ConnectorLockFailure', 'EVCommunicationError', 'GroundFailure', 'HighTemperature', 'InternalError'],
  ...['LocalListConflict', 'OtherError', 'OverCurrentFailure', 'OverVoltage', 'PowerMeterFailure'],
  ...['PowerSwitchFailure', 'ReaderFailure', 'ResetFailure', 'UnderVoltage', 'WeakSignal'],
];

/** The Minimum Required Error Codes of the ChargeX Consortium. */
const MREC = Array.from({ length: 26 }, (_, index) => `CX${String(index + 1).padStart(3, '0')}`);

test.each([...OCPP16, ...MREC, OFFLINE_ALARM.code, 'Unavailable', GENERIC_FAULT])('%s is explained', (code) => {
  expect(codes).toContain(code);
});

test('codes, keys and names are used once, and each category is below its parent', () => {
  const documents = SHIPPED_CATEGORIES.flatMap((category) => category.documents);
  for (const values of [documents.map(({ key }) => key), documents.flatMap((one) => one.codes ?? [])]) {
    expect(values).toEqual([...new Set(values)]);
  }
  const paths = SHIPPED_CATEGORIES.map(({ key }) => key);
  for (const [index, path] of paths.entries()) {
    const parent = path.split('/').slice(0, -1).join('/');
    if (parent !== '') expect(paths.slice(0, index)).toContain(parent);
  }
});

test.each(files.map((file) => [`${file.key} ${file.locale}`, file] as const))('%s can be stored', (_, file) => {
  expect(cleanContent(file.body)).toEqual(file.body);
  expect(file.title).not.toBe('undefined');
  expect(file.title.length).toBeLessThanOrEqual(200);
  // The short answer is shown in lists.
  expect(file.description.length).toBeGreaterThan(20);
  expect(file.description.length).toBeLessThanOrEqual(300);
  expect(linksOf(file)).toEqual(linksOf(file).filter((link) => safeLink(link) !== null));
  for (const code of mentionsOf(file)) expect(codes, `${file.key} mentions ${code}`).toContain(code);
  expect(textOfContent(file.body)).not.toMatch(/undefined|TODO|\]\(/);
});

test.each([...new Set(files.map(({ key }) => key))])('%s has the same parts in both languages', (key) => {
  const [english, chinese] = LOCALES.map((locale) => files.find((one) => one.key === key && one.locale === locale)!);
  expect(shapeOf(chinese!)).toEqual(shapeOf(english!));
  expect(mentionsOf(chinese!)).toEqual(mentionsOf(english!));
  expect(textOfContent(chinese!.body)).toMatch(/\p{Script=Han}/u);
  expect(textOfContent(english!.body)).not.toMatch(/\p{Script=Han}/u);
});

test('every page of the manual exists and has its parts', () => {
  for (const key of MANUAL_PAGES) {
    const page = files.find((one) => one.key === key && one.locale === 'en-US');
    const parts = headingsOf(page!.body).filter(({ level }) => level === 2);
    expect(
      parts.map(({ text }) => text),
      key,
    ).toEqual(['What it is for', 'Common tasks', 'What the states mean']);
  }
});

const PARTS = {
  [DOCUMENT_TYPES.alarm]: [
    ...['What it means', 'What to do first', 'Likely causes', 'On site', 'When to replace', 'Related codes'],
  ],
  [DOCUMENT_TYPES.config]: [
    ...['What it means', 'Values', 'What a wrong value causes', 'What to check', 'How to change it safely'],
  ],
  [DOCUMENT_TYPES.runInfo]: ['What it means', 'Usual values', 'What an unusual value means', 'What to check'],
};

test('a page about a code, parameter or reading has the parts that a maintainer looks for', () => {
  for (const file of files.filter(({ type, locale }) => type !== null && locale === 'en-US')) {
    expect(
      headingsOf(file.body).map(({ text }) => text),
      file.key,
    ).toEqual(PARTS[file.type!]);
    expect(file.body.content.map(({ type }) => type)).toContain('taskList');
  }
});

test('a page about parameters or readings names each of its keys', () => {
  for (const file of files.filter(({ type }) => type !== null && type !== DOCUMENT_TYPES.alarm)) {
    const text = textOfContent(file.body);
    expect(
      file.codes.filter((key) => !text.includes(key)),
      `${file.key} ${file.locale}`,
    ).toEqual([]);
  }
});

test.each(files.map((file) => [`${file.key} ${file.locale}`, file] as const))(
  '%s is the same after export and import',
  (_, { body }) => {
    expect(contentFromMarkdown(contentToMarkdown(body, String), () => null)).toEqual(body);
  },
);

/** The headings' levels, and the types of the blocks with the number of their items. */
function shapeOf({ body }: ParsedFile): string[] {
  return body.content.map(({ type, attrs, content }) =>
    type === 'heading' ? `heading ${attrs?.level}` : /List$|table/.test(type) ? `${type} ${content?.length}` : type,
  );
}

function attributesOf({ body }: ParsedFile, pick: (node: ContentNode) => unknown): string[] {
  const found: string[] = [];
  visit(body, (node) => {
    const value = pick(node);
    if (typeof value === 'string') found.push(value);
  });
  return found;
}

const mentionsOf = (file: ParsedFile) =>
  attributesOf(file, ({ type, attrs }) => (type === 'mention' && attrs?.kind === 'code' ? attrs.id : undefined));
const linksOf = (file: ParsedFile) =>
  attributesOf(file, ({ marks }) => marks?.find(({ type }) => type === 'link')?.attrs?.href);
