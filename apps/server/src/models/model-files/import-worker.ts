import { ModelFile } from '@chargehand/contract';
import type { JsonLimits } from '@chargehand/domain';
import { checkTexts, specialFieldsOf } from '../../platform/http/body/input-texts.ts';
import { tooMuchJson } from '../../platform/http/body/json-limits.ts';
import { Problem } from '../../platform/http/problem.ts';
import { schemaProblems } from '../../platform/http/validation.ts';
import { jsonFaultPlace } from '../../platform/json-fault.ts';

/** The maximum number of faults of a file that are reported at once. */
export const MAX_PROBLEMS = 100;
/** Larger than any file that the schema allows. */
const MODEL_FILE: JsonLimits = { depth: 12, values: 100_000, members: 100 };
/** The fields of a file whose texts may have several lines. */
const FIELDS = specialFieldsOf([ModelFile]);

type Parts = ConstructorParameters<typeof Problem>;

/** The content of a text and every deviation from the format of a model file; or why it has no content. */
export type ModelRead = { content: unknown; faults: { path: string; problem: Parts }[] } | { problem: Parts };

/** Reads the text of a model file in a worker thread: finding every fault in 900 kB takes seconds. */
export default function readModelFile(text: string): ModelRead {
  try {
    const content = parsed(text);
    const faults = faultsOf(content).map(({ path, problem }) => ({ path, problem: problem.parts }));
    // For a file with faults only the name is read.
    return { content: faults.length === 0 ? content : nameIn(content), faults };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.parts };
    throw error;
  }
}

/** @throws Problem `importNotJson` with the position, and those of `tooMuchJson` */
function parsed(text: string): unknown {
  const field = 'text';
  const exceeded = tooMuchJson(text, MODEL_FILE, field);
  if (exceeded) throw exceeded;
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = jsonFaultPlace(text, error instanceof Error ? error.message : '');
    throw new Problem('importNotJson', { field, values: place });
  }
}

function nameIn(content: unknown): { model?: { name?: unknown } } | null {
  const { model } = (content ?? {}) as { model?: { name?: unknown } | null };
  return model ? { model: { name: typeof model.name === 'string' ? model.name.slice(0, 64) : '' } } : null;
}

/** Reasons why a content is not a model file at all. */
function faultsOf(content: unknown): { path: string; problem: Problem }[] {
  const faults = schemaProblems(ModelFile, content, MAX_PROBLEMS);
  if (faults.length > 0) return faults;
  // A `\u0000` in a JSON text is not a forbidden character of the text itself.
  const found = checkTexts(content, FIELDS);
  if (found === null) return [];
  const { field, path, character } = found;
  return [{ path, problem: new Problem('fieldCharacters', { field, values: { character } }) }];
}
