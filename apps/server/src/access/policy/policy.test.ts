import { ENDPOINTS, type Endpoint, endpoint, ROW_TYPES, type RowPolicy } from '@chargehand/contract';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { ROW_FINDERS } from '../../row-finders.ts';

const params = Type.Object({ id: Type.Integer() });
const base = {
  id: 'x',
  method: 'GET',
  path: '/x',
  effect: 'read',
  summary: '',
  nameZh: '',
  params,
  answer: null,
} as const;
const on = <const P>(policy: P) => ({ ...base, policy });
const row = { object: 'device', from: 'params.id' } as const;

test('an endpoint without a policy, or with a policy that refers to a missing input, does not compile', () => {
  endpoint(on({ route: 'common', row }));
  const withoutRow = on({ route: 'common' });
  const unknownParameter = on({ route: 'common', row: { ...row, from: 'params.deviceId' } });
  const withoutQuery = on({ route: 'common', row: { ...row, from: ['params.id', 'query.also'] } });
  const withoutBody = on({ route: 'common', row, level: { command: 'body.kind' } });
  // @ts-expect-error it has no policy
  endpoint(base);
  // @ts-expect-error the policy does not mention rows
  endpoint(withoutRow);
  // @ts-expect-error there is no such parameter
  endpoint(unknownParameter);
  // @ts-expect-error there is no query
  endpoint(withoutQuery);
  // @ts-expect-error there is no body
  endpoint(withoutBody);
  expect(Object.keys(ROW_FINDERS).sort()).toEqual(Object.keys(ROW_TYPES).sort());
});

test('a level that a model sets is only required when the request contains a row with a model', () => {
  const withModel = new Set([
    'device',
    'alarm',
    'commandBatch',
    'deviceImage',
    'execution',
    'link',
    'parameterBaseline',
  ]);
  const withOwnLevels = new Set(['document', 'attachment', 'attachmentContent', 'folder']);
  const modelFree = ['read', 'edit', 'download'];
  const wrong = Object.values<Endpoint>(ENDPOINTS).filter(({ policy }) => {
    if (policy.route === 'public' || policy.level === undefined || Array.isArray(policy.level)) return false;
    if (modelFree.includes(policy.level as string)) return false;
    const { level } = policy;
    if (typeof level === 'object' && 'own' in level) return !withOwnLevels.has((policy.row as RowPolicy).object);
    return typeof policy.row !== 'object' || !withModel.has((policy.row as RowPolicy).object);
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
