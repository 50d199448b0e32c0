/** Runs statements: a pool, or a client in a transaction. */
export interface Query {
  query<Row>(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** A statement that stores some part of a batch. Its text is the same for every batch. `$1` is its first value. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** Runs statements one after the other. */
export async function runEach(client: Query, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

const NOTHING: Statement = { name: 'nothing', text: 'select', values: [] };

/** Runs statements in one round trip. They must not change the same rows. */
export async function runTogether(client: Query, statements: readonly Statement[]): Promise<void> {
  if (statements.length > 0) await client.query(asOne(statements, NOTHING));
}

/**
 * Combines the statements into one, which stores all or nothing in a single round trip: each becomes a part of `last`,
 * which runs first. They must not change the same rows.
 */
export function asOne(statements: readonly Statement[], last: Statement): Statement {
  const name = [...statements, last].map((statement) => statement.name).join('+');
  const values = [...last.values, ...statements.flatMap((statement) => statement.values)];
  const known = texts.get(name);
  if (known !== undefined) return { name: `ingest_${known.number}`, text: known.text, values };
  let offset = last.values.length;
  const parts = statements.map((statement) => {
    const text = statement.text.replaceAll(/\$(\d+)/g, (_match, n: string) => `$${Number(n) + offset}`);
    offset += statement.values.length;
    return `stored_${statement.name} as (${text})`;
  });
  const text = parts.length > 0 ? `with ${parts.join(',\n')}\n${last.text}` : last.text;
  texts.set(name, { number: texts.size, text });
  return { name: `ingest_${texts.size - 1}`, text, values };
}

/** The texts of combinations. There are few, because a batch contains few kinds of events. */
const texts = new Map<string, { number: number; text: string }>();

/** Integers in PostgreSQL's array notation, at a tenth of the cost of quoting each. */
export function numberArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

/** Times as milliseconds since the epoch. SQL converts them with `to_timestamp(t / 1000)`, exact to the microsecond. */
export function timeArray(values: readonly Date[]): string {
  return `{${values.map((value) => value.getTime()).join(',')}}`;
}

/** Texts in PostgreSQL's array notation. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'null' : quoted(value))).join(',')}}`;
}

/** Constants of the program as an SQL list. */
export function words(constants: readonly string[]): string {
  return constants.map((word) => `'${word}'`).join(', ');
}

function quoted(value: string): string {
  return `"${SPECIAL.test(value) ? value.replaceAll(ALL_SPECIAL, '\\$&') : value}"`;
}

const SPECIAL = /["\\]/;
const ALL_SPECIAL = /["\\]/g;
