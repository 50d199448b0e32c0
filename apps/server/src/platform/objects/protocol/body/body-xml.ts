import { setImmediate } from 'node:timers/promises';
import sax from 'sax';
import { S3Problem } from '../problem.ts';

/** 10,000 parts of a multipart upload, indented and with checksums, are shorter. Bytes. */
export const LARGEST_XML = 4 * 1024 * 1024;
/** How much is parsed before other requests run: about a millisecond of work. Bytes. */
const SLICE = 16 * 1024;
/** A request has three levels: a root, its rows and their fields. */
const DEEPEST = 3;
/** Keys have 1,024 bytes, ETags and checksums fewer. Characters. */
const LONGEST_TEXT = 4_096;
/** Requests have namespaces and types as attributes, at most two in an element. */
const MOST_ATTRIBUTES = 10;

/** Only the entities of XML itself, none of HTML. The types of sax lack that option. */
const OPTIONS = { trim: false, strictEntities: true };

/** The only structure of request documents: a root with rows of text fields, and its own text fields. */
export interface RowsShape {
  root: string;
  row: string;
  /** names of a row's fields; other elements make the document invalid */
  rowFields: readonly string[];
  /** names of the root's own fields */
  fields: readonly string[];
  mostRows: number;
}

export interface Rows {
  rows: Record<string, string>[];
  fields: Record<string, string>;
}

/**
 * Parses a request's XML as it arrives, in slices. Document type declarations are refused, so the only entities are the
 * five of XML and numeric references. Size, depth and number of rows are limited while parsing.
 * @throws S3Problem MalformedXML, MaxMessageLengthExceeded
 */
export async function readRows(source: AsyncIterable<Buffer>, shape: RowsShape): Promise<Rows> {
  const reader = rowReader(shape);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > LARGEST_XML) throw new S3Problem('MaxMessageLengthExceeded');
    for (let start = 0; start < chunk.length; start += SLICE) {
      reader.write(decode(utf8, chunk.subarray(start, start + SLICE)));
      await setImmediate();
    }
  }
  reader.write(decode(utf8));
  return reader.end();
}

function decode(utf8: InstanceType<typeof TextDecoder>, bytes?: Buffer): string {
  try {
    return utf8.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new S3Problem('MalformedXML');
  }
}

function rowReader(shape: RowsShape) {
  const parser = sax.parser(true, OPTIONS);
  const result: Rows = { rows: [], fields: {} };
  const path: string[] = [];
  let row: Record<string, string> | null = null;
  let text = '';
  let attributes = 0;
  let done = false;
  const malformed = (): never => {
    throw new S3Problem('MalformedXML');
  };
  parser.onerror = malformed;
  parser.ondoctype = malformed;
  parser.onopentagstart = () => {
    attributes = 0;
  };
  parser.onattribute = () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) malformed();
  };
  parser.onopentag = ({ name }) => {
    path.push(name);
    // Only white space is allowed between elements.
    if (path.length > DEEPEST || done || text.trim() !== '') malformed();
    if (path.length === 1 && name !== shape.root) malformed();
    if (path.length === 2 && name !== shape.row && !shape.fields.includes(name)) malformed();
    if (path.length === 3 && (row === null || !shape.rowFields.includes(name))) malformed();
    if (path.length === 2 && name === shape.row) {
      row = {};
      if (result.rows.push(row) > shape.mostRows) malformed();
    }
    text = '';
  };
  parser.ontext = parser.oncdata = (more) => {
    text += more;
    if (text.length > LONGEST_TEXT) malformed();
  };
  parser.onclosetag = (name) => {
    const isField = path.length === 3 || (path.length === 2 && row === null);
    if (!isField && text.trim() !== '') malformed();
    if (isField) {
      const target = path.length === 3 ? row : result.fields;
      if (!target || name in target || !text.isWellFormed()) malformed();
      else target[name] = text;
    }
    if (path.length === 2) row = null;
    path.pop();
    if (path.length === 0) done = true;
    text = '';
  };
  return {
    write(more: string): void {
      parser.write(more);
    },
    end(): Rows {
      parser.close();
      if (!done) malformed();
      return result;
    },
  };
}
