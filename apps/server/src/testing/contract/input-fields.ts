import type { Endpoint } from '@chargehand/contract';

/** The parts of a request that have fields. */
export type InputPart = 'query' | 'body';

/** A field of an endpoint's input. */
export interface InputField {
  part: InputPart;
  name: string;
}

/** The parts of JSON Schema that decide which values of a field are wrong. */
export interface FieldSchema {
  type?: string;
  format?: string;
  anyOf?: FieldSchema[];
}

function fieldsOf(endpoint: Endpoint, wanted: (schema: FieldSchema) => boolean): InputField[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => wanted(schema as FieldSchema))
      .map(([name]) => ({ part, name })),
  );
}

const options = (schema: FieldSchema) => [schema, ...(schema.anyOf ?? [])];

/** Every text field of an endpoint. Bytes of a file, and what a device gets as it is, are not texts. */
export const textFields = (endpoint: Endpoint): InputField[] =>
  fieldsOf(
    endpoint,
    (schema) =>
      !('x-bytes' in schema || 'x-verbatim' in schema) && options(schema).some(({ type }) => type === 'string'),
  );

/** Every integer field of an endpoint. */
export const numberFields = (endpoint: Endpoint): InputField[] =>
  fieldsOf(endpoint, (schema) => options(schema).some(({ type }) => type === 'integer'));

/** Every field of an endpoint with a date (`date`) or a time (`date-time`). */
export const timeFields = (endpoint: Endpoint, format: 'date' | 'date-time'): InputField[] =>
  fieldsOf(endpoint, (schema) => options(schema).some((one) => one.format === format));

/** True for a text that the contract declares with `Lines`. */
export function hasLines(endpoint: Endpoint, { part, name }: InputField): boolean {
  const schema = endpoint[part]?.properties[name] as FieldSchema;
  return options(schema).some((one) => 'x-lines' in one);
}

/** Texts that are known to break programs: SQL, script, patterns, paths, format strings, multi-byte letters. */
export const HOSTILE = [
  `'; drop table users; --`,
  `" or 1=1 --`,
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '%_\\',
  '../../etc/passwd',
  '{{7*7}}%s%n#{7*7}',
  '充电桩🔌👩‍🔧',
  'שלום مرحبا',
];

/** Forbidden characters in texts: characters that cannot be stored, and marks that change the writing direction. */
export const FORBIDDEN = [
  ['U+0000', 'a\u0000b'],
  ['U+202E', 'a\u202Eb'],
  ['U+200F', '\u200Fa'],
] as const;

/** Forbidden characters in texts of one line. */
export const SEVERAL_LINES = [
  ['U+000D', 'a\r\nb'],
  ['U+000A', 'a\nb'],
  ['U+0009', 'a\tb'],
  ['U+2028', 'a\u2028b'],
] as const;

/** Dates and times that the formats of JSON Schema allow, and that neither `Date` nor the database supports. */
export const UNREADABLE = {
  date: ['2026-02-30', '0000-01-01'],
  'date-time': ['2026-11-20T23:59:60Z', '2026-11-20T00:00:00+08', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'],
} as const;

/** Texts that are not the id of a row. */
export const NO_IDS = ['0', '-1', '1.5', 'one', '99999999999999999', '1 or 1=1'];

/** Texts with a limit of the service, which depends on their content. */
export const LIMITED_BY_SERVICE = [
  ['devices.labels', 'ids'],
  ['dataItems.create', 'range'],
  ['dataItems.update', 'range'],
  ['deviceModels.import', 'text'],
  ['systemParameters.set', 'value'],
] as const;
