import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';

const IDS = [1, 2, 3, 4, 5];
const answer = async (ids: number[]) => ({ results: ids.map((id) => ({ id })) });

test('rows are changed in slices, and the progress is reported after each', async () => {
  const [requests, progress]: [number[][], number[]] = [[], []];
  const change = (ids: number[]) => {
    requests.push(ids);
    return answer(ids);
  };
  const sliced = await inSlices(IDS, change, { size: 2, onProgress: (done) => progress.push(done) });
  expect(requests).toEqual([[1, 2], [3, 4], [5]]);
  expect(progress).toEqual([2, 4, 5]);
  expect(sliced).toEqual({ results: IDS.map((id) => ({ id })), error: null });
});

test('an error ends the change, and the results so far are returned', async () => {
  const failure = new Error('no network');
  const change = (ids: number[]) => (ids.includes(3) ? Promise.reject(failure) : answer(ids));
  expect(await inSlices(IDS, change, { size: 2 })).toEqual({ results: [{ id: 1 }, { id: 2 }], error: failure });
});

test('a stopped change sends no further request', async () => {
  let done = 0;
  const options = { size: 2, onProgress: (count: number) => (done = count), stopped: () => done >= 2 };
  expect((await inSlices(IDS, answer, options)).results).toHaveLength(2);
});
