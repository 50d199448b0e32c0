import { expect, test } from 'vitest';
import { isFaultOfData } from './data-faults.ts';

const withCode = (code: unknown) => Object.assign(new Error('the batch failed'), { code });

test.each<[string, unknown, boolean]>([
  ['a number out of range', withCode('22003'), true],
  ['a device that does not exist', withCode('23503'), true],
  ['a table that does not exist', withCode('42P01'), true],
  ['a lost connection to the database', withCode('08006'), false],
  ['a statement that violates the protocol', withCode('08P01'), true],
  ['a connection that a pooler ends', Object.assign(withCode('08P01'), { severity: 'FATAL' }), false],
  ['a standby, which only reads', withCode('25006'), false],
  ['a deadlock', withCode('40P01'), false],
  ['a full disk', withCode('53100'), false],
  ['a lock that is not available', withCode('55P03'), false],
  ['a database that is shutting down', withCode('57P01'), false],
  ['an error of the file system', withCode('58030'), false],
  ['an internal error of the database', withCode('XX000'), false],
  ['a broken pipe, whose code looks like an SQLSTATE', withCode('EPIPE'), false],
  ['a refused connection', withCode('ECONNREFUSED'), false],
  ['a code that only begins like an SQLSTATE', withCode('23503X'), false],
  ['a code that only ends like an SQLSTATE', withCode('x23503'), false],
  ['a code that is not a text', withCode(22_003), false],
  ['an unknown error', new Error('Connection terminated unexpectedly'), false],
  ['a programming error: a type', new TypeError('x is not a function'), true],
  ['a programming error: a range', new RangeError('Invalid time value'), true],
  ['a programming error: a name', new ReferenceError('x is not defined'), true],
  [
    'a programming error with the code of the network',
    Object.assign(new TypeError('fetch failed'), { code: 'E' }),
    true,
  ],
])('%s', (_, error, isFault) => {
  expect(isFaultOfData(error)).toBe(isFault);
});
