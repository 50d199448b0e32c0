import type { CommonControls } from '@chargehand/contract';
import { COMMAND_KINDS, COMMAND_RULES, type CommandKind, commandLevels, controlOf, meets } from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { CommandedDevice } from './commands.store.ts';
import { isSupportedBy, modelLevelsOf } from './control-rules.ts';

/** One of the models of several devices: one of its devices, and the definition that the caller may read. */
interface Model {
  device: CommandedDevice;
  view: ParameterView;
}

/**
 * The kinds of command that every model offers in a batch and the caller may send, with the names of the first model.
 */
export function commonControls(caller: Caller, models: readonly Model[]): CommonControls['controls'] {
  if (caller.readOnly) return [];
  const kinds = (Object.keys(COMMAND_KINDS) as CommandKind[]).filter(
    (kind) => COMMAND_RULES[kind].batch && models.every(({ device }) => isSupportedBy(device, kind)),
  );
  return kinds.flatMap((kind) => {
    const controls = models.map(({ device, view }) => {
      const control = controlOf(view.description, kind);
      return control !== null && meets(caller.levels, commandLevels(modelLevelsOf(device), kind, control))
        ? control
        : null;
    });
    const [first] = controls;
    if (!first || controls.includes(null)) return [];
    // All devices get the same texts, so only parameters that every model names are included.
    const named = (field: 'param1' | 'param2') =>
      controls.every((control) => control !== null && control !== 'standard' && control[field] !== null);
    const item = first === 'standard' ? null : first;
    const takes = COMMAND_RULES[kind].admits;
    return [
      {
        kind,
        name: item?.name ?? null,
        param1: takes.includes('param1') && named('param1') ? (item?.param1 ?? null) : null,
        param2: takes.includes('param2') && named('param2') ? (item?.param2 ?? null) : null,
      },
    ];
  });
}

/**
 * The parameters that can be set on all of several devices at once: those that every model describes as batch-capable
 * and the caller may write. For undescribed models those that every device has reported.
 */
export function commonItems(
  caller: Caller,
  models: readonly Model[],
  reported: readonly string[],
): CommonControls['parameters'] {
  if (caller.readOnly) return [];
  const settable = (key: string) => models.every(({ view }) => view.maySet(key) && !view.isSecret(key));
  const described = models.filter(({ view }) => view.description.version > 0).map(({ view }) => view);
  const [first] = described;
  if (!first) {
    return reported.filter(settable).map((key) => ({ key, name: null, type: null, range: '', unit: '' }));
  }
  return first.description.parameters
    .filter(({ key }) => settable(key) && described.every((view) => view.describe(key)?.item.batch === true))
    .map(({ key, name, type, range, unit }) => ({ key, name, type, range, unit }));
}
