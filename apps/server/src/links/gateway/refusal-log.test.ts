import { expect, test, vi } from 'vitest';
import { steppedClock } from '../../testing/clock.ts';
import { refusalLog } from './refusal-log.ts';

test('20 refusals of a kind are logged in a minute, and then the number of the others', async () => {
  const warn = vi.fn();
  const clock = steppedClock();
  const refused = refusalLog({ log: { warn }, clock });
  for (let count = 0; count < 10_000; count += 1) refused({ count }, 'a ticket');
  refused({}, 'a channel');
  expect(warn).toHaveBeenCalledTimes(21);
  await clock.advance(60_000);
  expect(warn.mock.calls.slice(21)).toEqual([[{ more: 9_980 }, 'a ticket, and more in the last minute']]);
  refused({ count: 0 }, 'a ticket');
  expect(warn).toHaveBeenLastCalledWith({ count: 0 }, 'a ticket');
});
