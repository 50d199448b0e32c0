import { type Endpoint, IMPORT_ROWS } from '@chargehand/contract';
import { zipOf } from '../files/zip.ts';

/** The maximum length of a body by default. Bytes. */
const BODY_BYTES = 1024 * 1024;
/** The bytes around the harmful part of a body. */
const ROOM = 8 * 1024;
/** A longer text may be a file. */
const FILE_CHARACTERS = 100_000;

/** A request body that is meant to keep a server busy, with a description. */
export interface HostileBody {
  what: string;
  body: string;
  /** What equal bodies of other endpoints have in common, when the same code reads them: the schema of the field. */
  like?: string;
}

/** The most expensive texts for the JSON parser. They never reach an endpoint, so one endpoint of each length limit is enough. */
export function* hostileJson(endpoint: Endpoint): Generator<HostileBody> {
  const bytes = bytesOf(endpoint);
  yield { what: 'nested', body: '['.repeat(bytes) };
  yield { what: 'nested objects', body: '{"a":'.repeat(bytes / 5) };
  yield { what: 'strings without end', body: `{"a":[${'"",'.repeat(bytes / 3)}` };
}

/** How long a hostile body may be. Bytes. */
function bytesOf({ bodyLimit = BODY_BYTES }: Endpoint): number {
  return bodyLimit - ROOM;
}

/**
 * The most expensive bodies that an endpoint accepts, built from its schema and a valid body: every list and text
 * filled with expensive content, within the length limit of the endpoint.
 */
export function* hostileBodies(endpoint: Endpoint, valid: Record<string, unknown>): Generator<HostileBody> {
  const bytes = bytesOf(endpoint);
  const properties = Object.entries(endpoint.body?.properties ?? {}) as [string, Schema][];
  const put = (name: string, value: unknown) => JSON.stringify({ ...valid, [name]: value });
  const texts = properties.filter(([, schema]) => typesOf(schema).includes('string'));

  const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
  yield { what: 'unknown fields', like: `unknown fields ${bytes}`, body: JSON.stringify({ ...valid, ...unknown }) };
  const long = texts.map(([name]) => [name, repeated('é', bytes / texts.length)]);
  yield { what: 'texts as long as the body', body: JSON.stringify({ ...valid, ...Object.fromEntries(long) }) };

  for (const [name, schema] of properties) {
    if (!typesOf(schema).includes('array')) continue;
    const { maxItems = 50_000 } = schema;
    for (const [what, value] of Object.entries(lists(maxItems)))
      yield { what: `${name}: ${what}`, like: `${name}: ${what} ${JSON.stringify(schema)}`, body: put(name, value) };
    const [one] = (valid[name] as unknown[] | undefined) ?? [];
    if (one === undefined) continue;
    const entries = Math.min(maxItems, Math.floor(bytes / (JSON.stringify(one).length + 1)));
    yield { what: `${name}: as many valid entries as fit`, body: put(name, Array(entries).fill(one)) };
  }
  for (const [name, schema] of texts) {
    const { maxLength = bytes, enum: values, pattern } = [schema, ...(schema.anyOf ?? [])].find(isText) ?? schema;
    // A text that is not in the list is refused, like the texts as long as the body.
    if (values) continue;
    // As long as the endpoint accepts, so that the work of the service is measured too.
    for (const [what, part] of TEXTS) {
      yield {
        what: `${name}: ${what}`,
        like: `${name}: ${what} ${JSON.stringify(schema)}`,
        body: put(name, repeated(part, Math.min(bytes, maxLength)).slice(0, maxLength)),
      };
    }
    if (maxLength < FILE_CHARACTERS || pattern !== undefined) continue;
    for (const { what, fields } of hostileFiles(name, bytes, Object.hasOwn(valid, 'fileName'))) {
      yield { what: `${name}: ${what}`, body: JSON.stringify({ ...valid, ...fields }) };
    }
  }
}

/** The properties of a schema that are read here. */
interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
}

const isText = ({ type }: Schema) => type === 'string';

function typesOf({ type, anyOf = [] }: Schema): (string | undefined)[] {
  return [type, ...anyOf.map((one) => one.type)];
}

/** Parts that are expensive when repeated: for patterns, for comparisons, or for splitting. */
const TEXTS = [
  ['letters', 'x'],
  ['blanks', ' '],
  ['line ends', '\n'],
  ['base64 that pads too early', '='],
  ['marks on one letter', '\u0301'],
  ['emoji', '🔌'],
  ['commas', '1,'],
  ['parentheses', '('],
  ['ranges', '0~1|'],
  ['escapes', '"\\'],
] as const;

/** A part repeated up to a number of bytes of JSON, with a different end. */
function repeated(part: string, bytes: number): string {
  return `${part.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(part)) - 2)) - 1)}!`;
}

function lists(most: number): Record<string, unknown[]> {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return {
    'as many numbers as it takes': numbers(most),
    'too many numbers': numbers(55_000),
    'the same number': Array(55_000).fill(1),
    texts: numbers(55_000).map((number) => `text ${number}`),
    objects: numbers(25_000).map((id) => ({ id })),
  };
}

/** Small files that cause much work, in base64 and as text, each in the suitable field and with a suitable name. */
function* hostileFiles(
  field: string,
  bytes: number,
  named: boolean,
): Generator<{ what: string; fields: Record<string, unknown> }> {
  const fit = Math.floor((bytes * 3) / 4);
  const json: Record<string, string> = {
    'a file of brackets': '['.repeat(fit),
    'a file of line ends': '\n'.repeat(fit),
    'rows of unknown fields': rows(fit, (at) => `{"a${at}":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}`),
    'rows of wrong types': rows(fit, () => '{"sn":[],"name":{},"site":1e999,"model":[],"arrivalDate":{}}'),
    'rows with everything wrong': rows(
      fit,
      (at) => `{"sn":"a b ${at}","name":"","site":"${'s'.repeat(60)}","model":"${at}"}`,
    ),
    'rows that are good': rows(
      fit,
      (at) => `{"sn":"S-${at}","name":"N ${at}","site":"northQuay","model":"World pile"}`,
    ),
    'rows that are no objects': rows(fit, () => '1'),
    'a row of one long text': `[{"sn":"${' '.repeat(fit - 100)}x"}]`,
    'lists in a model': `{"format":1,"groups":[${'1,'.repeat(45_000)}1],"items":[${'{},'.repeat(20_000)}{}]}`,
  };
  for (const [what, text] of Object.entries(json)) {
    if (named) yield { what, fields: { fileName: 'file.json', [field]: Buffer.from(text).toString('base64') } };
    else yield { what, fields: { [field]: text } };
  }
  if (!named) return;
  for (const [what, file] of Object.entries(hostileSheets())) {
    yield { what, fields: { fileName: 'file.xlsx', [field]: file.toString('base64') } };
  }
}

function rows(bytes: number, row: (at: number) => string): string {
  const length = row(IMPORT_ROWS).length + 1;
  return `[${Array.from({ length: Math.min(IMPORT_ROWS, Math.floor(bytes / length) - 1) }, (_, at) => row(at)).join(',')}]`;
}

/** Workbooks of a few kilobytes. */
function hostileSheets(): Record<string, Buffer> {
  const headings = ['SN', 'Name', 'Site', 'Customer', 'Device model', 'Gateway password'];
  const heading = headings.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  const cells = '<c t="s"><v>0</v></c>'.repeat(headings.length);
  const sheet = `<row>${heading}</row>${`<row>${cells}</row>`.repeat(IMPORT_ROWS - 10)}`;
  const shared = (text: string) => ({ texts: `<sst><si><t>${text}</t></si></sst>`, sheet });
  return {
    'a long text that all cells share': book(shared('x'.repeat(200_000))),
    'blanks that all cells share': book(shared(`${' '.repeat(200_000)}x`)),
    'emoji that all cells share': book(shared('🔌'.repeat(50_000))),
    'millions of rows': book({ texts: '<sst/>', sheet: '<row><c><v>1</v></c></row>'.repeat(1_000_000) }),
    'millions of shared texts': book({ texts: `<sst>${'<si><t>a</t></si>'.repeat(1_500_000)}</sst>`, sheet: '' }),
    'millions of cells in a row': book({ texts: '<sst/>', sheet: `<row>${'<c><v>1</v></c>'.repeat(1_500_000)}</row>` }),
  };
}

function book({ texts, sheet }: { texts: string; sheet: string }): Buffer {
  return zipOf({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="a/worksheet" Target="one.xml"/>
      <Relationship Id="r2" Type="a/sharedStrings" Target="texts.xml"/></Relationships>`,
    'xl/one.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/texts.xml': texts,
  });
}
