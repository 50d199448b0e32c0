import { DOCUMENT_TYPES, permits } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { CodeExplainer, DocumentFinder } from '../../ports/document-finder.ts';
import { explainedBy, ownFirst, readable } from './pages.store.ts';

/** Finds documents for the modules that show parameters and readings. The document for the model is preferred. */
export function documentFinder(db: Kysely<Database>): DocumentFinder {
  return async (caller, { types, keys, deviceModelId }) => {
    if (keys.length === 0 || !permits(caller, ['auth_docs_detail'])) return new Map();
    const { rows } = await sql<{ key: string; id: number }>`
      select distinct on (b.key) b.key, d.id
        from document_bindings b join documents d on d.id = b.document_id
       where b.type = any(${types}::smallint[]) and b.key = any(${keys}::text[])
         and (b.device_model_id is null or b.device_model_id = ${deviceModelId})
         and d.enabled and ${readable(caller)}
       order by b.key, array_position(${types}::smallint[], b.type), b.device_model_id nulls last,
                ${ownFirst(caller)}, d.id`.execute(db);
    return new Map(rows.map(({ key, id }) => [key, id]));
  };
}

/** Finds the short answers for alarm codes. Callers who may not read documents get none. */
export function codeExplainer(db: Kysely<Database>): CodeExplainer {
  return async (caller, locale, { codes, deviceModelIds }) => {
    if (codes.length === 0 || !permits(caller, ['auth_docs_detail'])) return [];
    return await explainedBy(db, { ...caller, locale }, { type: DOCUMENT_TYPES.alarm, keys: codes, deviceModelIds });
  };
}
