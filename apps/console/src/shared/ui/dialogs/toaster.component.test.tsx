import { expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { call } from '../../api/client.ts';

test('an error without a place of its own is the only toast, and disappears by itself', async () => {
  let count = 0;
  await show(<p />, {
    answers: {
      deleteSite: () => {
        count += 1;
        throw new Refused(count === 1 ? 'siteHasDevices' : 'siteLimitReached');
      },
    },
  });
  const toasts = () => document.querySelectorAll('.toast-error').length;
  const text = () => document.querySelector('.toast-error')?.textContent;
  await expect(call('deleteSite', { params: { id: 1 } })).rejects.toThrow();
  await expect.poll(toasts).toBe(1);
  const first = text();
  await expect(call('deleteSite', { params: { id: 1 } })).rejects.toThrow();
  await expect.poll(text).not.toBe(first);
  expect(toasts()).toBe(1);
  await expect.poll(toasts).toBe(0);
});
