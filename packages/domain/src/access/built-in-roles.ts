import type { Bilingual } from '../models/device-models.ts';

/** The Chinese names of the roles that the first start creates, by their stored names, which are English. */
export const BUILT_IN_ROLES = {
  'Platform administrator': '平台管理员',
  'Platform engineer': '平台工程师',
  'Customer administrator': '客户管理员',
  'Customer maintainer': '客户运维人员',
  Viewer: '只读用户',
} as const;

/** What a new role can start from, and the built-in role with the same rights. */
export const ROLE_PRESETS = {
  engineer: 'Platform engineer',
  maintainer: 'Customer maintainer',
  viewer: 'Viewer',
} as const satisfies Record<string, keyof typeof BUILT_IN_ROLES>;
export type RolePreset = keyof typeof ROLE_PRESETS;

/** The presets whose users have only the sites that are assigned to them. */
export const PRESETS_OF_ASSIGNED_SITES: readonly RolePreset[] = ['maintainer'];

const CHINESE: ReadonlyMap<string, string> = new Map(Object.entries(BUILT_IN_ROLES));

/** The name of a role in both languages. A role that a user named or renamed has the same name in both. */
export function roleNames(name: string): Bilingual {
  return { en: name, zh: CHINESE.get(name) ?? name };
}
