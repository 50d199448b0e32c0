import { policies } from 'virtual:policies';
import { type RolePolicy, roleMayCall } from '@chargehand/contract/role-preview';
import type { Level, LevelArea, Levels, LevelVerb } from '@chargehand/domain';

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
  readDocuments: 'readDocument',
  editDocuments: 'updateDocument',
} as const satisfies Record<string, keyof typeof policies>;

export type Ability = keyof typeof CALLS;

/** Calls for rows with levels of their own: the level of the role is the highest that it reaches. */
const OWN_LEVELS: Partial<Record<Ability, [area: LevelArea, verb: LevelVerb]>> = {
  readDocuments: ['wiki', 'read'],
  editDocuments: ['wiki', 'write'],
};

/** What a role with these menus and levels can and cannot do. `from`: only for rows of this level and lower ones. */
export function abilitiesOf(role: {
  root: boolean;
  keys: ReadonlySet<string>;
  levels: Levels;
}): { ability: Ability; can: boolean; from: Level | null }[] {
  return (Object.keys(CALLS) as Ability[]).map((ability) => {
    const policy: RolePolicy | null = policies[CALLS[ability]];
    const [area, verb] = OWN_LEVELS[ability] ?? [];
    const from = area && verb ? role.levels[area][verb] : null;
    return { ability, can: policy === null || roleMayCall(policy, role, USUAL_MODEL), from };
  });
}
