import { expect, it } from 'vitest';
import { ENDPOINTS, INTERFACE_NAMES_ZH } from '../index.ts';

it('every endpoint has a Chinese name, and every name belongs to an endpoint', () => {
  const ids = Object.values(ENDPOINTS).map((endpoint) => endpoint.id);
  expect(Object.keys(INTERFACE_NAMES_ZH).sort()).toEqual(ids.sort());
  for (const name of Object.values(INTERFACE_NAMES_ZH)) expect(name).toMatch(/^[\u4e00-\u9fff]+$/);
});
