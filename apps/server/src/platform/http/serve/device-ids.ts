import { Problem } from '../problem.ts';

/** The ids of a list in a query, as `1,2`. @throws Problem naming the field when one is no id */
export function deviceIds(text: string | undefined, field: string): number[] {
  return (text ?? '')
    .split(',')
    .filter((id) => id !== '')
    .map((id) => {
      if (!/^\d{1,10}$/.test(id) || Number(id) > 2_147_483_647)
        throw new Problem('fieldFormat', { field, values: { expected: '1,2,3' } });
      return Number(id);
    });
}
