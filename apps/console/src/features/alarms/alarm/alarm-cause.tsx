import type { AlarmCause as Cause } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { RuleSentence } from '../../../shared/ui/values/rule-terms.tsx';
import css from '../alarms.module.css';

/** The rule that raised an alarm, as it was then, and the value that triggered it. */
export default function AlarmCause({ rule }: { rule: Cause }) {
  const { t } = useTranslation('rules');
  const locale = useLocale();
  const item = locale === 'zh-CN' ? rule.itemName.zh : rule.itemName.en;
  const value = rule.value === null ? t('cause.none') : `${rule.value} ${rule.unit}`.trim();
  return (
    <p className={css.alarmNote}>
      <strong>{t('cause.title')}</strong>
      <span>
        <RuleSentence terms={rule} item={item} unit={rule.unit} />
      </span>
      <span>
        {t('cause.value')}
        {': '}
        <strong>{value}</strong> <code>{rule.key}</code>
      </span>
    </p>
  );
}
