import type { MessageFault } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';

/** Keywords of schemas whose findings have a sentence of their own. */
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

/** The field that a finding concerns, as a JSON pointer: what is missing, or not known, is named by its parent. */
export function placeOf({ path, params }: MessageFault): string {
  const { missingProperty, additionalProperty } = params;
  if (typeof missingProperty === 'string') return `${path}/${missingProperty}`;
  return typeof additionalProperty === 'string' ? `${path}/${additionalProperty}` : path;
}

/** The sentence for a finding. */
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
