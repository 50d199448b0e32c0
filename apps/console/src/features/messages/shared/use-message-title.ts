import type { MessageRow } from '@chargehand/contract';
import { messageTitle } from '@chargehand/contract/message-titles';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** What a message is about, in one line and in the user's language: the same text as in its mail. */
export function useMessageTitle(): (message: Pick<MessageRow, 'type' | 'data' | 'nameEn' | 'nameZh'>) => string {
  const locale = useLocale();
  return ({ type, data, nameEn, nameZh }) => messageTitle({ type, data, names: { nameEn, nameZh } }, locale);
}
