import { levelsAll } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from '../index.ts';
import { type RolePolicy, roleMayCall, rolePolicy } from './role-preview.ts';

const MODEL = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;
const POLICIES = Object.values<Endpoint>(ENDPOINTS).flatMap(({ id, policy }) => {
  const required = rolePolicy(policy);
  return required ? [[id, required] as const] : [];
});

test.each(POLICIES)('%s requires one of its keys, and its level', (_, policy) => {
  const role = { root: false, keys: new Set(policy.keys), levels: levelsAll(0) };
  expect(roleMayCall(policy, role, MODEL)).toBe(true);
  for (const key of policy.keys) expect(roleMayCall(policy, { ...role, keys: new Set([key]) }, MODEL)).toBe(true);
  expect(roleMayCall(policy, { ...role, keys: new Set() }, MODEL)).toBe(false);
  expect(roleMayCall(policy, { ...role, keys: new Set(), root: true }, MODEL)).toBe(true);
});

test.each<[RolePolicy['level'], number[]]>([
  [undefined, [0, 1, 2, 3, 4, 5]],
  [[{ area: 'user', verb: 'write', level: 3 }], [0, 1, 2, 3]],
  ['control', [0, 1, 2, 3, 4]],
  [{ command: 'body.kind' }, [0, 1, 2, 3, 4]],
  [{ items: 'setParameters' }, [0, 1, 2, 3]],
  [{ items: 'readParameters' }, [0, 1, 2, 3, 4, 5]],
])('level %j is met by roles with the levels %j', (level, met) => {
  const policy: RolePolicy = { keys: ['a'], ...(level && { level }) };
  const allowed = ([0, 1, 2, 3, 4, 5] as const).filter((one) =>
    roleMayCall(policy, { root: false, keys: new Set(['a']), levels: levelsAll(one) }, MODEL),
  );
  expect(allowed).toEqual(met);
});
