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

/** What devices of a model without a description reported: a writable parameter, and their number. */
interface ReportedKey {
  key: string;
  deviceModelId: number;
  devices: number;
}

/**
 * The parameters that can be set on several devices at once, each with the number of devices that have it; those of all
 * devices first. A described model has the parameters that it describes as batch-capable, another one those that its
 * devices have reported. Name and range are those of the first model that describes the parameter.
 */
export function settableItems(
  caller: Caller,
  models: readonly (Model & { devices: number })[],
  reported: readonly ReportedKey[],
): CommonControls['parameters'] {
  if (caller.readOnly) return [];
  const items = new Map<string, CommonControls['parameters'][number]>();
  const add = (item: CommonControls['parameters'][number]) => {
    const id = item.key.toLowerCase();
    const known = items.get(id);
    items.set(id, known ? { ...known, devices: known.devices + item.devices } : item);
  };
  const described = models.filter(({ view }) => view.description.version > 0);
  for (const { view, devices } of described) {
    for (const { key, name, type, range, unit, batch } of view.description.parameters) {
      if (batch && view.maySet(key) && !view.isSecret(key)) add({ key, name, type, range, unit, devices });
    }
  }
  const others = new Map(
    models.filter((one) => !described.includes(one)).map(({ device, view }) => [device.deviceModelId, view]),
  );
  for (const { key, deviceModelId, devices } of reported) {
    const view = others.get(deviceModelId);
    if (view?.maySet(key) && !view.isSecret(key)) add({ key, name: null, type: null, range: '', unit: '', devices });
  }
  return [...items.values()].sort((one, other) => other.devices - one.devices);
}
