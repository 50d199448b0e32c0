import type { MessageFault } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';

/** Schema keywords that have their own error text. */
const KNOWN = [
  'required',
  'type',
  'enum',
  'format',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const;

/** The field of an error as a JSON pointer. Missing and unknown fields are reported for their parent. */
export function placeOf({ path, params }: MessageFault): string {
  const { missingProperty, additionalProperty } = params;
  if (typeof missingProperty === 'string') return `${path}/${missingProperty}`;
  return typeof additionalProperty === 'string' ? `${path}/${additionalProperty}` : path;
}

/** The text of an error. */
export function useFaultText(): (fault: MessageFault) => string {
  const { t } = useTranslation('workbench');
  return ({ keyword, params }) => {
    if (keyword === 'additionalProperties') return t('fault.additionalProperties');
    const known = KNOWN.find((one) => one === keyword);
    if (!known) return t('fault.other', { keyword });
    const { limit, type, format, allowedValues } = params;
    const values = Array.isArray(allowedValues) ? allowedValues.join(', ') : '';
    return t(`fault.${known}`, { limit, type, format, values });
  };
}
