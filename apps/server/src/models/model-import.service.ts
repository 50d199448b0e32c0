import { type ImportReport, type Locale, ModelFile } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { forbiddenText, schemaProblems } from '../platform/http/validation.ts';
import { jsonFaultPlace } from '../platform/json-fault.ts';
import type { Caller } from '../ports/caller.ts';
import { readFamily } from './contents.store.ts';
import { explainedModel, objectOf } from './device-models.service.ts';
import { findModel } from './device-models.store.ts';
import { lockModels, logPlatformAction, requireEditor } from './editing.ts';
import { toModelFile } from './model-file.ts';
import { placeModel } from './place-model.ts';
import { planImport } from './plan-import.ts';

/** More than this many faults of a file are not told at once. */
const MAX_PROBLEMS = 100;

/** Device models as files. */
export function modelFilesService(db: Kysely<Database>) {
  return {
    /** A model as a file. Only those who may change models take them away: a file holds what others may not read. */
    async exported(caller: Caller, id: number): Promise<ModelFile> {
      requireEditor(caller);
      const model = await findModel(db, id);
      if (!model) throw notFound('deviceModel');
      return toModelFile(await readFamily(db, [id]), model);
    },

    /**
     * Adds a model from the text of a file. A dry run changes nothing and tells what would happen, problems included.
     * @throws Problem `importNotJson`; `importRefused` for a file with problems, of which nothing is imported
     */
    async imported(
      caller: Caller,
      body: { text: string; dryRun: boolean; name?: string },
    ): Promise<{ id: number | null; report: ImportReport }> {
      requireEditor(caller);
      const content = parsed(body.text);
      const faults = faultsOf(content);
      if (faults.length > 0) {
        if (!body.dryRun) throw refused(faults.length);
        return { id: null, report: unreadable(content, faults, caller.locale) };
      }
      const file = content as ModelFile;
      const named = { ...file, model: { ...file.model, name: (body.name ?? file.model.name).trim() } };
      return await db.transaction().execute(async (trx) => {
        await lockModels(trx);
        const plan = await planImport(trx, named);
        const report = {
          ...plan.report,
          problems: plan.problems
            .slice(0, MAX_PROBLEMS)
            .map(({ path, problem }) => ({ path, message: problem.envelope(caller.locale).message })),
        };
        if (body.dryRun) return { id: null, report };
        if (plan.problems.length > 0) throw refused(plan.problems.length);
        const id = await explainedModel(placeModel(trx, named, caller.userName));
        await logPlatformAction(trx, caller, 'new', objectOf(id, named.model.name), {
          after: { ...named.model, newItems: report.newItems, newGroups: report.newGroups },
        });
        return { id, report };
      });
    },
  };
}
export type ModelFilesService = ReturnType<typeof modelFilesService>;

/** What keeps a content from being a model's file at all. */
function faultsOf(content: unknown): { path: string; problem: Problem }[] {
  const faults = schemaProblems(ModelFile, content, MAX_PROBLEMS);
  if (faults.length > 0) return faults;
  // What a JSON text holds as `\u0000` is no forbidden character of the text itself.
  const found = forbiddenText(content);
  if (found === null) return [];
  const { field, path, character } = found;
  return [{ path, problem: new Problem('fieldCharacters', { field, values: { character } }) }];
}

function refused(count: number): Problem {
  return new Problem('importRefused', { field: 'text', values: { count } });
}

/** @throws Problem `importNotJson` that says where */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = jsonFaultPlace(text, error instanceof Error ? error.message : '');
    throw new Problem('importNotJson', { field: 'text', values: place });
  }
}

function unreadable(
  content: unknown,
  faults: readonly { path: string; problem: Problem }[],
  locale: Locale,
): ImportReport {
  const name = (content as { model?: { name?: unknown } } | null)?.model?.name;
  return {
    name: typeof name === 'string' ? name.slice(0, 64) : '',
    problems: faults.map(({ path, problem }) => ({ path, message: problem.envelope(locale).message })),
    ...{ newGroups: [], newItems: [], keptItems: [], configs: 0, parameters: 0, controls: 0 },
  };
}
