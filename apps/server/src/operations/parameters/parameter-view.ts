import type { DescribedItem } from '@chargehand/contract';
import {
  type DescribedKey,
  deviceRights,
  isSecretParameter,
  type Levels,
  levelSuffices,
  secretKeys,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { type PresentDescription, presentDescription } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CommandedDevice } from '../commands/commands.store.ts';

/** What a caller may do with the parameters of a device, by key. Keys are case-insensitive. */
export interface ParameterView {
  description: PresentDescription;
  /** the model's definition of a key, null when it has none */
  describe(key: string): (DescribedKey & { item: DescribedItem }) | null;
  mayRead(key: string): boolean;
  maySet(key: string): boolean;
  /** true when its value is never shown, because of its name or the model */
  isSecret(key: string): boolean;
  /** true when the caller can read at least one */
  mayReadAny: boolean;
}

/** A caller's view of the parameters of a device, by its current model. */
export async function viewParameters(
  db: Kysely<Database>,
  caller: Caller,
  device: CommandedDevice,
): Promise<ParameterView> {
  return parameterView(await presentDescription(db, device.deviceModelId), device, caller.levels);
}

/**
 * The levels of a key are those of its item. For keys that the model does not name, the levels of the model itself
 * apply. A config item is read-only, and belongs to the area "device".
 */
export function parameterView(
  description: PresentDescription,
  device: Pick<CommandedDevice, 'parameterReadLevel' | 'parameterWriteLevel' | 'controlLevel'>,
  levels: Levels,
): ParameterView {
  const rights = deviceRights(levels, {
    parameterRead: device.parameterReadLevel,
    parameterWrite: device.parameterWriteLevel,
    control: device.controlLevel,
  });
  const configs = new Map(description.configs.map((item) => [item.key.toLowerCase(), item]));
  const parameters = new Map(description.parameters.map((item) => [item.key.toLowerCase(), item]));
  const marked = secretKeys(description.parameters);
  const mayReadItem = (item: DescribedItem) => levelSuffices(levels.params.read, item.readLevel);
  return {
    description,
    describe(key) {
      const parameter = parameters.get(key.toLowerCase());
      if (parameter) return { kind: 'parameter', item: parameter };
      const config = configs.get(key.toLowerCase());
      return config ? { kind: 'config', item: config } : null;
    },
    mayRead(key) {
      if (!rights.read) return false;
      const describe = this.describe(key);
      if (describe === null) return rights.readParameters;
      return describe.kind === 'parameter'
        ? mayReadItem(describe.item)
        : levelSuffices(levels.device.read, describe.item.readLevel);
    },
    maySet(key) {
      if (!rights.read) return false;
      const describe = this.describe(key);
      if (describe === null) return rights.setParameters;
      return describe.kind === 'parameter' && levelSuffices(levels.params.write, describe.item.writeLevel);
    },
    isSecret: (key) => isSecretParameter(key, marked),
    mayReadAny: rights.readParameters || (rights.read && description.parameters.some(mayReadItem)),
  };
}
