import { expect, test } from 'vitest';
import { UPLOAD_STATES, type UploadEvent, type UploadProgress, uploadStandstill, uploadStep } from './upload-steps.ts';

type Item = UploadProgress<string> & { size: number };
const item = (state: Item['state']): Item => ({ state, size: 10, sent: 4, problem: 'old', savedAs: null });

/** The states that each event leads to, from those where it changes something. */
test.each<[UploadEvent<string>, string, Partial<Item>]>([
  [{ type: 'began' }, 'waiting>sending interrupted>sending sending>sending', { problem: null }],
  [{ type: 'sent', bytes: 99 }, 'sending>sending interrupted>interrupted', { sent: 10 }],
  [
    { type: 'lostConnection', kept: 2 },
    'waiting>interrupted sending>interrupted saving>interrupted interrupted>interrupted',
    { sent: 2 },
  ],
  [
    { type: 'failed', kept: 1, problem: 'new' },
    'waiting>failed sending>failed saving>failed interrupted>failed',
    { sent: 1, problem: 'new' },
  ],
  [{ type: 'lostFile' }, 'waiting>fileMissing sending>fileMissing interrupted>fileMissing', { sent: 4 }],
  [{ type: 'stored' }, 'waiting>saving sending>saving interrupted>saving', { sent: 10, problem: null }],
  [{ type: 'saved', name: 'a (1)' }, 'saving>done', { savedAs: 'a (1)', sent: 10 }],
  [{ type: 'paused', kept: 3 }, 'waiting>paused sending>paused interrupted>paused', { sent: 3 }],
  [{ type: 'resumed' }, 'paused>waiting failed>waiting interrupted>waiting', { problem: null }],
  [{ type: 'gotFile' }, 'fileMissing>waiting', { problem: null }],
])('%j', (event, changes, after) => {
  const to = new Map(changes.split(' ').map((change) => change.split('>') as [string, string]));
  for (const state of UPLOAD_STATES) {
    const before = item(state);
    const next = uploadStep(before, event);
    if (to.has(state)) expect(next).toMatchObject({ ...after, state: to.get(state) });
    else expect(next).toBe(before);
  }
});

test.each([
  [{ sending: 1, interrupted: 5 }, null],
  [{ saving: 1 }, null],
  [{ interrupted: 1, waiting: 7 }, 'noConnection'],
  [{ waiting: 2, paused: 1 }, null],
  [{ fileMissing: 1, paused: 1 }, 'fileMissing'],
  [{ paused: 3, done: 9 }, 'paused'],
  [{ done: 9, failed: 1 }, null],
] as const)('%j stands still because of %s', (counts, reason) => {
  expect(uploadStandstill(counts)).toBe(reason);
});
