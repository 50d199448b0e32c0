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

/** What somebody may do with the parameters of a device, key by key. Keys are case-insensitive. */
export interface ParameterView {
  description: PresentDescription;
  /** what the model says of a key, null when it does not name it */
  describe(key: string): (DescribedKey & { item: DescribedItem }) | null;
  mayRead(key: string): boolean;
  maySet(key: string): boolean;
  /** true when its value is shown to nobody, by its name or by the model */
  isSecret(key: string): boolean;
  /** true when there is anything that they could read */
  mayReadAny: boolean;
}

/** The view of somebody on the parameters of a device, by what its model says now. */
export async function viewParameters(
  db: Kysely<Database>,
  caller: Caller,
  device: CommandedDevice,
): Promise<ParameterView> {
  return parameterView(await presentDescription(db, device.deviceModelId), device, caller.levels);
}

/**
 * The levels of a key are those of its item; what the model does not name is held to the levels of the model itself. A
 * config item can only be read, and belongs to the area "device".
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
