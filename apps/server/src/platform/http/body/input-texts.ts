import type { Endpoint } from '@chargehand/contract';
import { forbiddenCharacter, forbiddenInLine, storableParts } from '@chargehand/domain';
import type { TSchema } from 'typebox';

/** The place of a forbidden character in an input. */
export interface ForbiddenText {
  field: string;
  /** `items/3/name` */
  path: string;
  /** such as `U+202E` */
  character: string;
}

/** The names of the fields whose texts may have several lines. */
export interface SpecialFields {
  /** may have several lines: declared with `Lines` */
  lines: ReadonlySet<string>;
  /** are files: declared with `FileContent` */
  bytes: ReadonlySet<string>;
  /** are passed on as they are, on all levels: declared with `Verbatim` */
  verbatim: ReadonlySet<string>;
}

const known = new WeakMap<Endpoint, SpecialFields>();

/** The fields of an endpoint whose texts may have several lines. */
export function specialFields(endpoint: Endpoint): SpecialFields {
  let fields = known.get(endpoint);
  if (fields === undefined) {
    fields = specialFieldsOf([endpoint.body, endpoint.query]);
    known.set(endpoint, fields);
  }
  return fields;
}

/** The same for some schemas, at any depth. */
export function specialFieldsOf(schemas: readonly (TSchema | undefined)[]): SpecialFields {
  const lines = new Set<string>();
  const bytes = new Set<string>();
  const verbatim = new Set<string>();
  const visitSchema = (schema: unknown, name: string) => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('x-lines' in schema) lines.add(name);
    if ('x-bytes' in schema) bytes.add(name);
    if ('x-verbatim' in schema) verbatim.add(name);
    for (const [key, part] of Object.entries(schema)) {
      if (key === 'properties') for (const [field, of] of Object.entries(part as object)) visitSchema(of, field);
      else if (key === 'items') visitSchema(part, name);
      else if (key === 'anyOf') for (const one of part as unknown[]) visitSchema(one, name);
    }
  };
  for (const schema of schemas) visitSchema(schema, '');
  return { lines, bytes, verbatim };
}

/**
 * Normalizes the texts of an input to NFC (Unicode Standard Annex 15), so that texts that look the same are equal.
 * Finds the first text with a forbidden character.
 */
export function checkTexts(input: unknown, fields: SpecialFields): ForbiddenText | null {
  const found = checkPart(input, '', fields);
  return found && { ...found, path: found.path.join('/') };
}

type Found = Omit<ForbiddenText, 'path'> & { path: string[] };

/** The depth of the input was limited before it was parsed. */
function checkPart(value: unknown, field: string, fields: SpecialFields): Found | null {
  if (typeof value === 'string') {
    const character = fields.lines.has(field) ? forbiddenCharacter(value) : forbiddenInLine(value);
    return character === null ? null : { field, path: [], character };
  }
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  const parts = value as Record<string, unknown>;
  for (const key of Object.keys(value)) {
    const part = parts[key];
    if (fields.bytes.has(key)) continue;
    const isVerbatim = fields.verbatim.has(key);
    const found = isVerbatim ? checkVerbatim(part, key) : checkPart(part, isList ? field : key, fields);
    if (found !== null) {
      found.path.unshift(key);
      return found;
    }
    if (!isVerbatim && typeof part === 'string' && part !== '') parts[key] = part.normalize('NFC');
  }
  return null;
}

/** Finds a text that the database refuses. Names of fields are texts of the protocol too. */
function checkVerbatim(part: unknown, field: string): Found | null {
  if (storableParts(part) === part) return null;
  return { field, path: [], character: JSON.stringify(part).includes('\\u0000') ? 'U+0000' : 'U+FFFD' };
}
