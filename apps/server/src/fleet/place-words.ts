import type { Locale } from '@chargehand/contract';
import { inLocale } from '../platform/list-export.ts';

/** Whether a place is in service, in a language. */
export function stateWord(enabled: boolean, locale: Locale): string {
  return inLocale(enabled ? { en: 'Enabled', zh: '启用' } : { en: 'Disabled', zh: '停用' }, locale);
}

export function yesNo(value: boolean, locale: Locale): string {
  return inLocale(value ? { en: 'Yes', zh: '是' } : { en: 'No', zh: '否' }, locale);
}
