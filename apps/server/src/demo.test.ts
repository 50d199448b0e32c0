import { expect, onTestFinished, test, vi } from 'vitest';
import { startDemoFleet } from './demo.ts';
import type { Log } from './platform/log.ts';

test('a demo fleet on a computer without an SSH client says what is missing', async () => {
  const warn = vi.fn();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PATH', '');
  const fleet = startDemoFleet({
    ...{ url: 'ws://127.0.0.1:1/ocpp', devices: 1, storage: null, resume: {} as never },
    log: { warn } as unknown as Log,
  });
  await fleet.stop();
  expect(warn.mock.calls).toEqual([
    ['there is no ssh on this computer: install it to open terminals and web pages of demo devices'],
  ]);
});
