import { isPlaceCode } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

/** A name without surrounding blanks. @throws Problem `fieldRequired` when nothing is left. */
export function enteredName(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  return name;
}

/** The code of a customer or a site. @throws Problem `placeCodeFormat` */
export function placeCode(code: string): string {
  if (!isPlaceCode(code)) throw new Problem('placeCodeFormat', { field: 'code' });
  return code;
}
