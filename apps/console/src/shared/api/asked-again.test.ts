import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { askAgain, EDITED } from './asked-again.ts';

it('what is shown is asked again when it is meant, what is being edited is not', async () => {
  const client = new QueryClient();
  const asked = { shown: 0, other: 0, edited: 0 };
  const follow = (name: keyof typeof asked, options: object) =>
    new QueryObserver(client, {
      queryKey: [name],
      queryFn: () => {
        asked[name] += 1;
        return asked[name];
      },
      ...options,
    }).subscribe(() => undefined);
  const stops = [follow('shown', {}), follow('other', {}), follow('edited', EDITED)];
  await client.refetchQueries();
  const before = { ...asked };
  await askAgain(client, ([name]) => name !== 'other');
  expect(asked).toEqual({ ...before, shown: before.shown + 1 });
  for (const stop of stops) stop();
  client.clear();
});
