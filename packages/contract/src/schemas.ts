import { type TObject, type TSchema, type TString, Type } from 'typebox';
import { DEFAULT_PAGE_SIZE } from './constants.ts';

/** The text of a time. A handler may give a `Date` instead (`WithDates`); texts of other kinds fit as well. */
export type TimeText = string & { readonly time?: never };

/** A time in the API: ISO-8601 in UTC (design §4). */
export const Time = Type.Unsafe<TimeText>(Type.String({ format: 'date-time', maxLength: 40 }));
export const NullableTime = Type.Union([Time, Type.Null()]);
export const NullableText = Type.Union([Type.String(), Type.Null()]);
/** The document that explains a config or parameter item; null when there is none. */
export const NullableDocumentId = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
export const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
/** A calendar day, `yyyy-MM-dd`. */
export const Day = Type.String({ format: 'date', maxLength: 10 });

/** The revision of the editable fields of a row. */
export const Revision = Type.String({ maxLength: 32 });
/**
 * Sent with a change: the change is rejected when the row has changed since this revision. Without it, the change
 * overwrites the row.
 */
export const SeenRevision = Type.Optional(Revision);

/** The id of a row in a path. */
export const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
/** The ID of a stored file: random, so that nobody counts or guesses files. Former ones are smaller. */
export const FileId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const FileParams = Type.Object({ id: FileId }, { additionalProperties: false });
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });

/** An enumeration of strings. */
export function Words<const W extends readonly string[]>(words: W) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words] });
}

/** An object without additional properties. */
export function Exact<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * A text that may have several lines. All other text inputs are single-line: line breaks, tabs and other control
 * characters are rejected.
 */
export function Lines(options: { minLength?: number; maxLength: number }): TString {
  return Type.String({ ...options, 'x-lines': true });
}

/**
 * Marks a part of an input that is sent to a device byte for byte: its texts are not normalized, and only characters that
 * cannot be stored are rejected.
 */
export const VERBATIM = { 'x-verbatim': true } as const;

/**
 * A text that matches a pattern. Messages about other texts show `expected`: an example, or where a valid text comes
 * from. It is the same in every language.
 */
export function Matching(
  pattern: string,
  expected: string,
  options: { minLength?: number; maxLength?: number } = {},
): TString {
  return Type.String({ ...options, pattern, 'x-expected': expected });
}

/** The bytes of a file in base64 (RFC 4648 §4), up to the body limit. The handler checks whether it is valid base64. */
export const FileContent: TString = Type.String({ 'x-bytes': true });

/** Several ids or values in a query, such as `a,b`. */
export const CommaList = Type.String({ maxLength: 2_000 });
/** Ids of rows, separated by commas. */
export const IdList = Matching('^[0-9]{1,9}(,[0-9]{1,9})*$', '1,2,3', { maxLength: 2_000 });

/**
 * The paging parameters of a list (design §4): pages count from 1; `sort` is one of the list's fields, with `-` for
 * descending order.
 */
export function Paging<const S extends readonly string[]>(sortFields: S) {
  return {
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    pageSize: Type.Unsafe<10 | 20 | 50 | 100>({ type: 'integer', enum: [10, 20, 50, 100], default: DEFAULT_PAGE_SIZE }),
    sort: Type.Optional(
      Words([...sortFields, ...sortFields.map((field) => `-${field}`)] as (S[number] | `-${S[number]}`)[]),
    ),
  };
}

/** Made by the browser, so that sending again has the same effect as sending once. */
export const RequestKey = Type.String({ format: 'uuid', maxLength: 36 });

/** One page of a list. */
export function Page<T extends TObject>(item: T) {
  return Exact({ items: Type.Array(item), total: Type.Integer({ minimum: 0 }) });
}

/** One page of a list of unlimited length, newest first. `next` is the cursor of the next page, null at the end. */
export function Keyset<T extends TObject>(item: T) {
  return Exact({ items: Type.Array(item), next: Type.Union([Type.Integer(), Type.Null()]) });
}
