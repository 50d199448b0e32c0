import type { MessageReason } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Describe } from '../../../shared/ui/values/describe.tsx';

/** Whether and how the user is notified now, and what decides about it. */
export function Reason({ reason }: { reason: MessageReason }) {
  const { t } = useTranslation('messages');
  const { refusal, source, inApp, mail, mailAt, push, pushAt } = reason;
  const timeOf = (at: string | null) => (at === null ? '' : formatTime(at).slice(0, 16));
  if (refusal !== null && source === null) {
    return (
      <p className="warning-note">
        {t('why.notNotified')} {t(`refusals.${refusal}`)}
      </p>
    );
  }
  return (
    <Describe
      items={[
        { key: 'inApp', label: t('why.inApp'), value: t(inApp ? 'why.yes' : 'why.no') },
        { key: 'email', label: t('why.email'), value: t(`sends.${mail}`, { time: timeOf(mailAt) }) },
        { key: 'push', label: t('why.push'), value: t(`sends.${push}`, { time: timeOf(pushAt) }) },
        ...(source === null ? [] : [{ key: 'source', label: t('why.decides'), value: t(`sources.${source}`) }]),
      ]}
    />
  );
}
