import { CSRF_COOKIE, LOCALE_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import type { BrowserContext } from 'playwright-core';
import type { DatabaseConnection } from '../apps/server/src/platform/database/connect.ts';
import { openSession } from '../apps/server/src/testing/client.ts';

/** Signs the root account in to a browser context, in Chinese. */
export async function signInRoot(
  context: BrowserContext,
  { url, database: { db } }: { url: string; database: DatabaseConnection },
): Promise<void> {
  const { id } = await db.selectFrom('users').select('id').where('root', '=', true).executeTakeFirstOrThrow();
  const { token, csrf } = await openSession(db, id);
  await context.addCookies([
    { name: LOCALE_COOKIE, value: 'zh-CN', url },
    { name: TOKEN_COOKIE, value: token, url, httpOnly: true },
    { name: CSRF_COOKIE, value: csrf, url },
  ]);
}
