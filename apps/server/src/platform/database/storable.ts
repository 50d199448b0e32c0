/** A received text that PostgreSQL can store: no NUL character, no lone surrogate, at most `limit` characters. */
export function storableText(text: string, limit: number): string;
export function storableText(text: string | null, limit: number): string | null;
export function storableText(text: string | null, limit: number): string | null {
  if (text === null) return null;
  const short = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  const whole = short.isWellFormed() ? short : short.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}

/** Received data as text for a jsonb column, with storable texts. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part, 100_000) : part,
  );
}
