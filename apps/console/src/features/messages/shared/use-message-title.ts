import type { MessageRow } from '@chargehand/contract';
import { messageTitle } from '@chargehand/contract/message-titles';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';

/** What a message is about, in one line and in the user's language: the same text as in its mail. */
export function useMessageTitle(): (message: Pick<MessageRow, 'type' | 'data' | 'nameEn' | 'nameZh'>) => string {
  const { t } = useTranslation('messages');
  const locale = useLocale();
  return ({ type, data, nameEn, nameZh }) => {
    const name = locale === 'zh-CN' ? nameZh : nameEn;
    const named = name === null ? data : { ...data, code: t('namedCode', { name, code: String(data.code) }) };
    return messageTitle({ type, data: named }, locale);
  };
}
