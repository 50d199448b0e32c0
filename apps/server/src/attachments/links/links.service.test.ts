import { attachmentEndpoints } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { expect, test } from 'vitest';
import type { UserRights } from '../../access/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { steppedClock } from '../../testing/clock.ts';
import type { Download } from '../content/content.service.ts';
import { linksService } from './links.service.ts';

const RIGHTS: UserRights = {
  ...{ userId: 7, userName: 'wang', customerId: 1, platformVendor: false, readOnly: false, root: false },
  ...{ keys: new Set<string>(), remoteAccess: 0, levels: levelsAll(5), scope: { customers: [1], sites: 'all' } },
};
const CALLER: Caller = { ...RIGHTS, viewer: null, sessionId: '', csrf: '', address: '', locale: 'en-US' };
const FILE = { id: 5, name: 'manual.pdf', size: 10, etag: 'tag' };

/** Links to one file, whose answer a test changes. */
function links() {
  const now: { file: Download | Problem; rights: UserRights | null } = { file: FILE, rights: RIGHTS };
  const requested: [number, string][] = [];
  const clock = steppedClock(new Date('2026-03-01T12:00:00.700Z'));
  const service = linksService({
    content: { downloads: async () => new Map([[FILE.id, now.file]]) },
    ...{ clock, key: 'a key' },
    async rightsOf(userId, endpointId) {
      requested.push([userId, endpointId]);
      return now.rights;
    },
  });
  const made = async (caller: Caller, seconds?: number) => {
    const { url, expiresAt } = await service.link(caller, FILE.id, seconds);
    return { token: url.slice(url.indexOf('token=') + 6), expiresAt };
  };
  return { now, requested, clock, service, made };
}

test('a link ends after the requested time, and after an hour at the latest', async () => {
  const { clock, service, made } = links();
  const [short, long] = [await made(CALLER, 60), await made(CALLER)];
  expect([short.expiresAt, long.expiresAt]).toEqual([
    new Date('2026-03-01T12:01:00Z'),
    new Date('2026-03-01T13:00:00Z'),
  ]);
  await clock.skip(59_000);
  expect(await service.open(short.token)).toMatchObject(FILE);
  await clock.skip(1_000);
  await expect(service.open(short.token)).rejects.toMatchObject({ code: 'attachmentLinkExpired' });
  await clock.skip(3_539_000);
  expect(await service.open(long.token)).toMatchObject(FILE);
  await clock.skip(1_000);
  await expect(service.open(long.token)).rejects.toMatchObject({ code: 'attachmentLinkExpired' });
});

test('a running download ends when its user may no longer download the file', async () => {
  const { now, requested, service, made } = links();
  const { holds } = await service.open((await made(CALLER)).token);
  expect(requested).toEqual([[7, attachmentEndpoints.linkAttachment.id]]);
  expect(await holds()).toBe(true);
  now.rights = null;
  expect(await holds()).toBe(false);
  now.rights = RIGHTS;
  for (const problem of [new Problem('noPermission'), notFound('attachment'), new Problem('attachmentInfected')]) {
    now.file = problem;
    expect(await holds()).toBe(false);
  }
});

test('during an impersonation a link belongs to the root account', async () => {
  const { requested, service, made } = links();
  const viewer = { userId: 1, userName: 'root', since: new Date(), until: new Date() };
  await service.open((await made({ ...CALLER, viewer })).token);
  expect(requested).toEqual([[1, attachmentEndpoints.linkAttachment.id]]);
});

test('a link is not made without the right to download', async () => {
  const { now, made } = links();
  now.file = new Problem('noPermission');
  await expect(made(CALLER)).rejects.toMatchObject({ code: 'noPermission' });
});
