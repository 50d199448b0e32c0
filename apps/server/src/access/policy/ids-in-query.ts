import { Problem } from '../../platform/http/problem.ts';

/** The IDs of a list in a query, such as `1,2`. @throws {Problem} fieldFormat if one is not an ID */
export function idsInQuery(text: string | undefined, field: string): number[] {
  return (text ?? '')
    .split(',')
    .filter((id) => id !== '')
    .map((id) => {
      if (!/^\d{1,10}$/.test(id) || Number(id) > 2_147_483_647)
        throw new Problem('fieldFormat', { field, values: { expected: '1,2,3' } });
      return Number(id);
    });
}
