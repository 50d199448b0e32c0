import type { ImportReport, Locale, ModelFile } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { readFamily } from '../contents.store.ts';
import { objectOf } from '../device-models/device-models.service.ts';
import { findModel } from '../device-models/device-models.store.ts';
import { lockModels, logPlatformAction } from '../editing.ts';
import { placeModel } from '../place-model.ts';
import { EXPLANATIONS } from '../tables.ts';
import { MAX_PROBLEMS, type ModelRead } from './import-worker.ts';
import { toModelFile } from './model-file.ts';
import { planImport } from './plan-import.ts';

/** Device models as files. */
export function modelFilesService(db: Kysely<Database>) {
  return {
    /**
     * A model as a file. Only users who may change models can download it, because it contains data that others may not
     * read.
     */
    async exported(id: number): Promise<ModelFile> {
      const model = await findModel(db, id);
      if (!model) throw notFound('deviceModel');
      return toModelFile(await readFamily(db, [id]), model);
    },

    /**
     * Adds a model from the text of a file. A dry run changes nothing and reports what would happen, with all problems.
     * @throws Problem `importNotJson`; `importRefused` for a file with problems, of which nothing is imported
     */
    async imported(
      caller: Caller,
      body: { text: string; dryRun: boolean; name?: string },
    ): Promise<{ id: number | null; report: ImportReport }> {
      const { content, faults } = await contentOf(caller, body.text);
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
        const id = await explained(placeModel(trx, named, caller.userName), EXPLANATIONS);
        await logPlatformAction(trx, caller, 'new', objectOf(id, named.model.name), {
          after: { ...named.model, newItems: report.newItems, newGroups: report.newGroups },
        });
        return { id, report };
      });
    },
  };
}
export type ModelFilesService = ReturnType<typeof modelFilesService>;

function refused(count: number): Problem {
  return new Problem('importRefused', { field: 'text', values: { count } });
}

/**
 * The content of a text, read in a worker thread. @throws Problem `importNotJson` with the position, and those of
 * `inWorker`
 */
async function contentOf(
  caller: Caller,
  text: string,
): Promise<{ content: unknown; faults: { path: string; problem: Problem }[] }> {
  const read = await inWorker<string, ModelRead>(caller, new URL('./import-worker.ts', import.meta.url), text);
  if ('problem' in read) throw new Problem(...read.problem);
  const faults = read.faults.map(({ path, problem }) => ({ path, problem: new Problem(...problem) }));
  return { content: read.content, faults };
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
