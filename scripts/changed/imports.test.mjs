import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testsFor } from './changed.mjs';
import { importersIn, usersOf } from './imports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'chargehand-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file is used by those that import it, also through others, but not on demand', () => {
  const texts = {
    'page/page.tsx': "import { Map } from '../ui/map.tsx';\nimport './page.css';",
    'page/page.component.test.tsx': "import {\n  Page,\n} from './page.tsx';",
    'ui/map.tsx': "export * from './marks.ts';",
    'ui/marks.ts': "import React from 'react';",
    'router.tsx': "const page = () => import('./page/page.tsx');",
  };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const importers = importersIn(folder);
  const page = ['page/page.tsx', 'page/page.component.test.tsx'];
  expect([...usersOf(importers, 'ui/marks.ts')]).toEqual(['ui/marks.ts', 'ui/map.tsx', ...page]);
  expect([...usersOf(importers, 'page/page.css')]).toEqual(['page/page.css', ...page]);
  expect([...usersOf(importers, 'router.tsx')]).toEqual(['router.tsx']);
});

test.each([
  ['a page: those of its feature', 'features/tokens/token-page.tsx', /features\/tokens\//, null],
  ['texts: those of the feature', 'locales/en-US/tokens.json', /features\/tokens\//, null],
  ['a map: those of the pages with it', 'features/fleet/map/sites-map.tsx', /features\/fleet\/map\//, null],
  ['a shared value: those of the pages with it', 'shared/ui/values/copyable.tsx', /features\/fleet\//, null],
  ['what all pages use: only a complete run has all', 'shared/session/session.ts', undefined, 'session.ts'],
])('component tests for %s', (_, file, some, whole) => {
  const path = `apps/console/src/${file}`;
  const found = testsFor([path]);
  expect(found.components.some((test) => some?.test(test))).toBe(some !== undefined);
  expect(found.components.length).toBeLessThan(60);
  expect(found.whole).toBe(whole === null ? null : path);
});
