import type { StatisticStep } from '@chargehand/domain';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../shared/hooks/lists/use-address.ts';

/** The steps from the URL; the default is hours. */
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
  /** the labels of the options */
  names: Record<StatisticStep, string>;
  onChange(next: StatisticStep): void;
}

/** Switches between a short period by hour and a long one by day. */
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
