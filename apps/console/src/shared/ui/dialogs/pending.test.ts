import { expect, it } from 'vitest';

const SOURCES = import.meta.glob<string>(['../../../{features,shared}/**/*.tsx', '!../../../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Their dialogs may be closed during a change, because that stops it, or nothing that was entered is lost. */
const OTHERS = [
  'acknowledge-dialog',
  'alarm-dialog',
  'applications/deliveries-dialog',
  'bulk-dialog',
  'fleet/devices/dialogs/move-dialog',
  'links/link-dialog',
  'parameter-baselines',
];

it('no page ends when a dialog cannot be loaded', () => {
  const lazy = Object.entries(SOURCES).filter(([, source]) =>
    /= lazy\([^;]*(-dialog|dialogs|-selected)\.tsx'/.test(source),
  );
  expect(lazy.map(([file]) => file)).toEqual([]);
});

it('every dialog stays open while its change is running', () => {
  const changing = Object.entries(SOURCES).filter(
    ([, source]) => /<Dialog\b/.test(source) && /\b(useMutation|useSave)\b/.test(source),
  );
  expect(changing.length).toBeGreaterThan(20);
  const without = changing.filter(([, source]) => !/\bpending=\{/.test(source)).map(([file]) => file);
  expect(without.filter((file) => !OTHERS.some((other) => file.endsWith(`${other}.tsx`)))).toEqual([]);
});
