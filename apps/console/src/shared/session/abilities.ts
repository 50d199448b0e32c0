import { policies } from 'virtual:policies';
import { type RolePolicy, roleMayCall } from '@chargehand/contract/policy-levels';
import type { Levels } from '@chargehand/domain';

/** The default levels of a device model. */
const USUAL_MODEL = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;

/** The call behind each line of the preview. Its declared policy decides. */
const CALLS = {
  devices: 'listDevices',
  edit: 'updateDevice',
  control: 'sendCommand',
  readParameters: 'listParameters',
  setParameters: 'setParameters',
  download: 'exportDevices',
  users: 'listUsers',
  editUsers: 'updateUser',
} as const satisfies Record<string, keyof typeof policies>;

export type Ability = keyof typeof CALLS;

/** What a role with these menus and levels can and cannot do. */
export function abilitiesOf(role: {
  root: boolean;
  keys: ReadonlySet<string>;
  levels: Levels;
}): { ability: Ability; can: boolean }[] {
  return Object.entries<keyof typeof policies>(CALLS).map(([ability, name]) => {
    const policy: RolePolicy | null = policies[name];
    return { ability: ability as Ability, can: policy === null || roleMayCall(policy, role, USUAL_MODEL) };
  });
}
