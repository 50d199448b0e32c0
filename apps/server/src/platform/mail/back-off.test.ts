import { expect, test } from 'vitest';
import { type DeliveryFailure, retryAfter } from './back-off.ts';

test.each<[string, number, DeliveryFailure, number | null]>([
  ['an unreachable server is tried again soon', 1, {}, 15],
  ['then at increasing intervals', 5, {}, 3_600],
  ['up to a day', 11, {}, 86_400],
  ['finally it is given up', 12, {}, null],
  ['a full mailbox is tried again', 1, { responseCode: 452, command: 'RCPT TO' }, 15],
  ['an unknown receiver is not', 1, { responseCode: 550, command: 'RCPT TO' }, null],
  ['a refused text is not', 2, { responseCode: 554, command: 'DATA' }, null],
  ['a rejected password may be corrected', 1, { responseCode: 535, command: 'AUTH PLAIN' }, 15],
  ['a refused sender may be allowed', 1, { responseCode: 550, command: 'MAIL FROM' }, 15],
])('%s', (_title, attempts, failure, seconds) => expect(retryAfter(attempts, failure)).toBe(seconds));
