import type { RuleTerms } from '@chargehand/domain';
import { splitDuration } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The condition of an alarm in one sentence: item, bounds or values, and duration. */
export function RuleSentence({ terms, item, unit }: { terms: RuleTerms; item: string; unit: string }) {
  const { t } = useTranslation('rules');
  const { t: common } = useTranslation();
  const { condition, low, high, values, hysteresis, durationSeconds } = terms;
  const amount = (value: number | null) => `${value ?? '–'}${unit === '' ? '' : ` ${unit}`}`;
  const split = splitDuration(durationSeconds);
  const duration = (['days', 'hours', 'minutes', 'seconds'] as const)
    .filter((part) => split[part] > 0)
    .map((part) => common(`duration.${part}`, { count: split[part] }))
    .join(' ');
  const parts = [
    t(`terms.${condition}`, { item, low: amount(low), high: amount(high), values: values.join(t('or')) }),
    durationSeconds > 0 && t(condition === 'changed' ? 'quiet' : 'for', { duration }),
    hysteresis > 0 && t('hysteresis', { hysteresis: amount(hysteresis) }),
  ];
  return <>{parts.filter((part) => part !== false).join(t('separator'))}</>;
}
