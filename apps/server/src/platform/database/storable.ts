import { storable, storableParts } from '@chargehand/domain';

/** A received text that PostgreSQL can store, of at most `limit` characters. */
export function storableText(text: string, limit: number): string;
export function storableText(text: string | null, limit: number): string | null;
export function storableText(text: string | null, limit: number): string | null {
  if (text === null) return null;
  return storable(text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
}

/** The limit of one text in received data, in characters. */
const LONGEST_PART = 100_000;

/** Received data as text for a jsonb column, with storable texts. */
export function storableJson(value: unknown): string {
  return JSON.stringify(storableParts(value ?? null), (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part, LONGEST_PART) : part,
  );
}
