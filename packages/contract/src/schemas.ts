import { type TObject, type TSchema, type TString, Type } from 'typebox';
import { DEFAULT_PAGE_SIZE } from './constants.ts';

/** A time on the wire: ISO-8601 in UTC (design §4). */
export const Time = Type.String({ format: 'date-time', maxLength: 40 });
export const NullableTime = Type.Union([Time, Type.Null()]);
export const NullableText = Type.Union([Type.String(), Type.Null()]);
/** What a config or parameter item is explained in: null as long as there is no such document. */
export const NullableDocumentId = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
export const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
/** A calendar day, `yyyy-MM-dd`. */
export const Day = Type.String({ format: 'date', maxLength: 10 });

/** Marks what people may change of a row, as it was read. */
export const Revision = Type.String({ maxLength: 32 });
/** Given along with a change, it is refused when somebody has changed the row since; without it, it overwrites. */
export const SeenRevision = Type.Optional(Revision);

/** The id of a row in a path. */
export const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });

/** A closed set of words. */
export function Words<const W extends readonly string[]>(words: W) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words] });
}

/** An object that admits nothing but what it names. */
export function Exact<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * A text that may have several lines. Every other text of an input stands on one line: line ends, tabs and other control
 * characters in it are refused.
 */
export function Lines(options: { minLength?: number; maxLength: number }): TString {
  return Type.String({ ...options, 'x-lines': true });
}

/**
 * The bytes of a file in base64 (RFC 4648 §4), as long as the body may be: no text that people read. Whoever takes the file
 * says whether it is base64.
 */
export const FileContent: TString = Type.String({ 'x-bytes': true });

/** Several ids or words in a query, as `a,b`. */
export const CommaList = Type.String({ maxLength: 2_000 });

/** The paging part of a list's query (design §4): pages from 1; `sort` is one of the list's fields, `-` before it turns it round. */
export function Paging<const S extends readonly string[]>(sortFields: S) {
  return {
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    pageSize: Type.Unsafe<10 | 20 | 50 | 100>({ type: 'integer', enum: [10, 20, 50, 100], default: DEFAULT_PAGE_SIZE }),
    sort: Type.Optional(
      Words([...sortFields, ...sortFields.map((field) => `-${field}`)] as (S[number] | `-${S[number]}`)[]),
    ),
  };
}

/** One page of a list. */
export function Page<T extends TObject>(item: T) {
  return Exact({ items: Type.Array(item), total: Type.Integer({ minimum: 0 }) });
}

/** One stretch of a list that grows without end, newest first: `next` continues it, null at its end. */
export function Keyset<T extends TObject>(item: T) {
  return Exact({ items: Type.Array(item), next: Type.Union([Type.Integer(), Type.Null()]) });
}
