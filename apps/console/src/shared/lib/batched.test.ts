import { expect, test } from 'vitest';
import { batched } from './batched.ts';

test('calls that arrive while one is in progress are made together, each with its own result', async () => {
  const batches: number[][] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const double = batched<number, number>(2, async (inputs) => {
    batches.push([...inputs]);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    await answer.promise;
    return inputs.map((input) =>
      input === 3 ? { status: 'rejected', reason: new Error('three') } : { status: 'fulfilled', value: 2 * input },
    );
  });
  const results = [1, 2, 3, 4].map((input) => double(input).catch((error: Error) => error.message));
  expect(batches).toEqual([[1]]);
  answers[0]!.resolve();
  await expect.poll(() => batches).toEqual([[1], [2, 3]]);
  answers[1]!.resolve();
  await expect.poll(() => batches).toEqual([[1], [2, 3], [4]]);
  answers[2]!.reject(new Error('lost'));
  expect(await Promise.all(results)).toEqual([2, 4, 'three', 'lost']);
});
