import { NAME_BYTES, nameFault, normalName } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

/** An entered name as it is stored. @throws {Problem} when it is not allowed */
export function enteredName(entered: string, field = 'name'): string {
  const name = normalName(entered);
  const fault = nameFault(name);
  if (fault === 'empty') throw new Problem('fieldRequired', { field });
  if (fault === 'characters') throw new Problem('attachmentName', { field });
  if (fault === 'tooLong') throw new Problem('attachmentNameLong', { field, values: { max: NAME_BYTES } });
  return name;
}
