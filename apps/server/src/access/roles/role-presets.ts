import { type Holding, limitedTo, ROLE_PRESETS, type RolePreset } from '@chargehand/domain';
import { FIRST_ROLES } from './first-roles.ts';
import type { RoleValues } from './roles.store.ts';

/** The rights of a new role that starts from a preset: those of the built-in role, as far as the caller has them. */
export function presetFor(holder: Holding, preset: RolePreset): RoleValues & { keys: string[] } {
  const { menus, name: _, ...rights } = FIRST_ROLES.find(({ name }) => name === ROLE_PRESETS[preset])!;
  const { keys, ...values } = limitedTo(holder, { ...rights, keys: new Set(menus) });
  return { ...values, emailAlarm: false, secondFactor: false, keys: [...keys].sort() };
}
