import type { StatisticStep } from '@chargehand/domain';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../shared/hooks/lists/use-address.ts';

/** The steps that the address asks for; hours unless it says days. */
export function useStep(): [StatisticStep, (next: StatisticStep) => void] {
  const [search, setSearch] = useAddress();
  const change = (next: StatisticStep) =>
    setSearch((params) => {
      if (next === 'hour') params.delete('step');
      else params.set('step', next);
      params.delete('page');
      return params;
    });
  return [search.get('step') === 'day' ? 'day' : 'hour', change];
}

interface Props {
  value: StatisticStep;
  /** what each choice is called */
  names: Record<StatisticStep, string>;
  onChange(next: StatisticStep): void;
}

/** Chooses between a short time by the hour and a long one by the day. */
export function StepSwitch({ value, names, onChange }: Props) {
  const { t } = useTranslation('statistics');
  return (
    <Segmented<StatisticStep>
      aria-label={t('step')}
      value={value}
      options={(['hour', 'day'] as const).map((step) => ({ value: step, label: names[step] }))}
      onChange={onChange}
    />
  );
}
