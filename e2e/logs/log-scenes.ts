import { randomUUID } from 'node:crypto';
import { type SeenCause, storeErrors } from '../../apps/server/src/audit/errors/errors.store.ts';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import type { Scene } from '../scene.ts';

const HOUR_MS = 3_600_000;

/** Errors of every source, as an installation has them after some days. */
export async function addErrors({ db, pool }: DatabaseConnection): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`select id::int from devices where sn = 'SIM00002'`);
  const now = Date.now();
  const stack = (name: string, message: string) =>
    `${name}: ${message}\n    at async storeStatus (apps/server/src/ingest/status.ts:88:7)\n    at async apps/server/src/ingest/lanes.ts:41:9`;
  const seen = (hours: number[], more: Pick<SeenCause, 'source' | 'name' | 'message'>, occurrence: object = {}) => {
    const last = new Date(now - Math.min(...hours) * HOUR_MS);
    const cause: SeenCause = {
      ...{ stack: stack(more.name, more.message), fingerprint: randomUUID(), anonymous: false, version: '1.0.0' },
      ...{ firstAt: new Date(now - Math.max(...hours) * HOUR_MS), lastAt: last, count: 3 * hours.length },
      hours: new Map(hours.map((hour) => [Math.floor((now - hour * HOUR_MS) / HOUR_MS) * HOUR_MS, 1 + (hour % 5)])),
      occurrences: [
        {
          ...{ at: last, version: '1.0.0', message: more.message, requestId: randomUUID(), userName: 'mandy_ho' },
          ...{ deviceId: null, path: null, userAgent: null, address: null, details: {}, ...occurrence },
        },
      ],
      ...more,
    };
    return cause;
  };
  await storeErrors(db, [
    seen(
      [2, 9, 26, 27, 50, 98],
      { source: 'server', name: 'DatabaseError 40P01', message: 'deadlock detected' },
      { path: 'PUT /api/auth/sys/devices/:id' },
    ),
    seen(
      [5],
      { source: 'server', name: 'ServerKilled', message: 'The server ended without stopping: it was killed' },
      { userName: null, requestId: null, details: { uptime: '26:03:09', memory: '512 MB' } },
    ),
    seen(
      [1, 3],
      { source: 'browser', name: 'ChunkLoadError', message: 'A part of the page could not be loaded' },
      { path: '/manage/device/list', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', address: '203.0.113.17' },
    ),
    seen([30], { source: 'mail', name: 'Warning', message: 'a mail was refused: no such user here' }),
    seen(
      [7, 8],
      { source: 'device', name: 'TypeError', message: 'a message could not be processed: meterValue is not an array' },
      { deviceId: rows[0]?.id ?? null, userName: null },
    ),
  ]);
}

/** The protocol log and the error log. */
export function logScenes(): Scene[] {
  const signedIn = true;
  const protocol = '/manage/logs/protocol';
  return [
    { name: 'log-sign-ins', path: '/manage/logs/action?tab=logins', signedIn },
    {
      ...{ name: 'login-log-opened', path: '/manage/logs/action?tab=logins', signedIn },
      async act(page) {
        await page.locator('tbody tr[data-row-key]').first().click();
        await page.getByRole('dialog').last().waitFor();
      },
    },
    { name: 'log-errors', path: '/manage/logs/error', signedIn },
    { name: 'log-errors-none', path: '/manage/logs/error?search=nothing', signedIn },
    {
      ...{ name: 'log-errors-opened', path: '/manage/logs/error', signedIn },
      async act(page) {
        await page.getByText('deadlock detected').first().click();
        await page.getByRole('dialog').locator('figure').waitFor();
      },
    },
    { name: 'log-protocol', path: protocol, signedIn },
    { name: 'log-protocol-of-device', path: `${protocol}?deviceId=1&types=2`, signedIn },
    {
      ...{ name: 'log-protocol-paused', path: protocol, signedIn },
      async act(page, t) {
        await page.getByRole('button', { name: t('audit:frame.pause'), exact: true }).click();
        await page.getByRole('button', { name: t('audit:frame.resume'), exact: true }).waitFor();
      },
    },
    {
      ...{ name: 'log-protocol-opened', path: `${protocol}?action=StatusNotification`, signedIn },
      async act(page) {
        await page.getByRole('option').first().click();
        await page.getByRole('dialog').getByRole('rowheader').first().waitFor();
      },
    },
    {
      ...{ name: 'log-protocol-none', path: `${protocol}?search=no+frame+has+this`, signedIn },
      act: (page, t) => page.getByText(t('audit:frame.noMatch')).waitFor(),
    },
    { name: 'log-protocol-failed', path: `${protocol}?types=9`, signedIn },
  ];
}
