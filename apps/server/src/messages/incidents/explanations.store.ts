import { DOCUMENT_TYPES } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { unnested } from '../../platform/database/unnested.ts';

/** What an alarm means and what to do first, in both languages; null: no document says so. */
export interface Explanation {
  meaningEn: string | null;
  meaningZh: string | null;
  stepsEn: string | null;
  stepsZh: string | null;
}

/** Headings under which documents of alarm codes say what to do first (`content/alarms`). */
const FIRST_STEPS = ['What to do first', '先做什么'] as const;
/** Characters of each text: a message is read on a phone. */
const LONGEST = 500;

/**
 * The explanations of alarms from the documents of their codes, that of the model first. Only documents that everybody may
 * read (level 5), of the platform or of the customer of the alarm: a message also goes to webhooks, which have no levels.
 */
export async function findExplanations(
  db: Kysely<Database>,
  alarms: readonly { id: number; code: string }[],
): Promise<Map<number, Explanation>> {
  if (alarms.length === 0) return new Map();
  const text = (locale: string) => sql`(
    select nullif(left(t.description, ${sql.lit(LONGEST)}), '') from document_texts t
     where t.document_id = found.id and t.locale = ${locale})`;
  const steps = (locale: string) => sql`(
    select nullif(left(s.text, ${sql.lit(LONGEST)}), '') from document_sections s
     where s.document_id = found.id and s.locale = ${locale} and s.heading = any(${[...FIRST_STEPS]}::text[])
     order by s.position limit 1)`;
  const { rows } = await sql<Explanation & { id: number }>`
    select q.id::int as id, ${text('en-US')} as "meaningEn", ${text('zh-CN')} as "meaningZh",
           ${steps('en-US')} as "stepsEn", ${steps('zh-CN')} as "stepsZh"
      from (select distinct id, code from ${unnested(alarms, { id: 'bigint', code: 'text' })} as u (id, code)) q
      left join alarms a on a.id = q.id
     cross join lateral (
       select d.id from document_bindings b join documents d on d.id = b.document_id
        where b.type = ${DOCUMENT_TYPES.alarm} and b.key = q.code
          and (b.device_model_id is null or b.device_model_id = a.device_model_id) and d.enabled and d.read_level = 5
          and (d.customer_id is null or d.customer_id = a.customer_id)
        order by d.customer_id nulls last, b.device_model_id nulls last limit 1) found`.execute(db);
  return new Map(
    rows.map(({ id, ...found }) => [
      id,
      { ...found, stepsEn: stepsOf(found.stepsEn), stepsZh: stepsOf(found.stepsZh) },
    ]),
  );
}

/** A list of a document as one line: `1. Open the site. 2. …` */
function stepsOf(text: string | null): string | null {
  const lines = text?.split('\n').filter((line) => line.trim() !== '') ?? [];
  if (lines.length === 0) return null;
  return lines.length === 1 ? lines[0]! : lines.map((line, index) => `${index + 1}. ${line.trim()}`).join(' ');
}
