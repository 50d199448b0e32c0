import { expect, test } from 'vitest';
import { roleNames } from './built-in-roles.ts';

test.each([
  ['a built-in role', 'Platform engineer', { en: 'Platform engineer', zh: '平台工程师' }],
  ['a role that a user named', 'Night shift', { en: 'Night shift', zh: 'Night shift' }],
  ['the name of an object property', 'constructor', { en: 'constructor', zh: 'constructor' }],
])('%s', (_, name, names) => {
  expect(roleNames(name)).toEqual(names);
});
