import type { ImportReport, ModelFile } from '@chargehand/contract';
import { type Bilingual, controlLevelIsValid, controlProblem, parseRange, ruleFault } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import { dataItemsByKey, listGroups } from '../data-items/data-items.store.ts';
import { findModelByName } from '../device-models/device-models.store.ts';
import { RULE_PROBLEM } from '../entered-contents.ts';

type FileItem = ModelFile['items'][number];

interface Plan {
  problems: { path: string; problem: Problem }[];
  report: Omit<ImportReport, 'problems'>;
}

/** The changes that importing a file would make, and all reasons against importing it. */
export async function planImport(db: Kysely<Database>, file: ModelFile): Promise<Plan> {
  const problems: Plan['problems'] = [];
  const note: Note = (path, problem) => problems.push({ path, problem });
  const { model } = file;
  if (model.name === '') note('model/name', new Problem('fieldRequired', { field: 'name' }));
  else if (await findModelByName(db, model.name)) note('model/name', new Problem('deviceModelNameExists'));
  if (model.parent !== null && !(await findModelByName(db, model.parent))) {
    note('model/parent', new Problem('deviceModelParentUnknown'));
  }
  if (!controlLevelIsValid(model.controlLevel, model.parameterWriteLevel)) {
    note('model/controlLevel', new Problem('modelLevelsOrder'));
  }

  const here = (await listGroups(db)).map(({ name }) => name);
  const groups = new Map(here.map((name) => [lower(name.en), name]));
  noteGroups(note, file.groups, here);
  const fileGroups = new Set(file.groups.map(({ en }) => lower(en)));
  const present = new Map(
    (
      await dataItemsByKey(
        db,
        file.items.map(({ key }) => key),
      )
    ).map((item) => [lower(item.key), item]),
  );
  const hasGroup = (name: string) => groups.has(lower(name)) || fileGroups.has(lower(name));

  const described = new Map<string, FileItem>();
  for (const [index, item] of file.items.entries()) {
    const path = `items/${index}`;
    const values = { key: item.key };
    if (described.has(lower(item.key))) note(path, new Problem('modelItemTwice', { values }));
    described.set(lower(item.key), item);
    if (!hasGroup(item.group))
      note(`${path}/group`, new Problem('importGroupMissing', { values: { key: item.group } }));
    const known = present.get(lower(item.key));
    if (known && known.type !== item.type) note(`${path}/type`, new Problem('importTypeDiffers', { values }));
    noteRange(note, `${path}/range`, item, item.range);
  }
  for (const field of ['configs', 'parameters'] as const) {
    const seen = new Set<string>();
    for (const [index, entry] of file[field].entries()) {
      const path = `${field}/${index}`;
      const values = { key: entry.key };
      if (seen.has(lower(entry.key))) note(path, new Problem('modelItemTwice', { values }));
      seen.add(lower(entry.key));
      const item = described.get(lower(entry.key));
      if (!item) note(path, new Problem('importItemMissing', { values }));
      else if (entry.range !== null) noteRange(note, `${path}/range`, item, entry.range);
      if (entry.group !== null && !hasGroup(entry.group)) {
        note(`${path}/group`, new Problem('importGroupMissing', { values: { key: entry.group } }));
      }
    }
  }
  const rules = file.rules ?? [];
  const known = new Map(
    (
      await dataItemsByKey(
        db,
        rules.map(({ key }) => key),
      )
    ).map((item) => [lower(item.key), item]),
  );
  const codes = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const path = `rules/${index}`;
    const { code } = rule;
    if (codes.has(code)) note(path, new Problem('modelItemTwice', { values: { key: code } }));
    codes.add(code);
    const type = described.get(lower(rule.key))?.type ?? known.get(lower(rule.key))?.type;
    if (type === undefined) note(path, new Problem('importItemMissing', { values: { key: rule.key } }));
    const fault = type === undefined || rule.removed ? null : ruleFault(rule, type);
    if (fault) note(path, new Problem(RULE_PROBLEM[fault], { values: { code } }));
  }
  const types = new Set<number>();
  for (const [index, control] of file.controls.entries()) {
    const values = { type: control.type, level: model.parameterWriteLevel, model: model.name };
    if (types.has(control.type)) note(`controls/${index}`, new Problem('controlTypeTwice', { values }));
    types.add(control.type);
    const problem = control.removed ? null : controlProblem(control, model.parameterWriteLevel);
    if (problem) note(`controls/${index}`, new Problem(problem, { values }));
  }

  const kept = file.items.filter(({ key }) => present.has(lower(key)));
  return {
    problems,
    report: {
      name: model.name,
      newGroups: file.groups.map(({ en }) => en).filter((name) => !groups.has(lower(name))),
      newItems: file.items.map(({ key }) => key).filter((key) => !present.has(lower(key))),
      keptItems: kept.map((item) => ({ key: item.key, differs: differs(item, present.get(lower(item.key))!) })),
      configs: file.configs.length,
      parameters: file.parameters.length,
      controls: file.controls.length,
    },
  };
}

type Note = (path: string, problem: Problem) => void;

/** A new group must have a unique name in both languages. */
function noteGroups(note: Note, groups: ModelFile['groups'], here: readonly Bilingual[]): void {
  const english = new Set(here.map(({ en }) => lower(en)));
  const chinese = new Set(here.map(({ zh }) => lower(zh)));
  for (const [index, { en, zh }] of groups.entries()) {
    if (english.has(lower(en))) continue;
    if (chinese.has(lower(zh))) note(`groups/${index}/zh`, new Problem('itemGroupNameExists', { field: 'name' }));
    english.add(lower(en));
    chinese.add(lower(zh));
  }
}

function noteRange(note: Note, path: string, item: FileItem, text: string): void {
  const { problem } = parseRange(item.type, text);
  if (!problem) return;
  const reason = { code: problem.fault, values: problem.values };
  note(path, new Problem('modelItemRange', { values: { key: item.key }, reason }));
}

function differs(item: FileItem, here: Pick<FileItem, 'name' | 'range' | 'unit'>): boolean {
  const names = item.name.en === here.name.en && item.name.zh === here.name.zh;
  return !names || item.range.trim() !== here.range || item.unit.trim() !== here.unit;
}

function lower(text: string): string {
  return text.trim().toLowerCase();
}
