import { ClockCircleOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { PERIODS, periodOf } from '../../lib/time/periods.ts';
import { MenuButton } from '../menu/menu-button.tsx';
import { TimeField } from './time-field.tsx';
import './time-range.css';

/** Both ends of a range, ISO 8601; null: open. */
export interface TimeSpan {
  from: string | null;
  to: string | null;
}

interface Props {
  /** of the first field */
  id?: string;
  labels?: [from: string, to: string];
  value: TimeSpan;
  onChange(value: TimeSpan): void;
}

/** A range of time: both ends, and a menu of common periods that end now. */
export function TimeRange({ id, labels, value, onChange }: Props) {
  const { t } = useTranslation();
  const [from, to] = labels ?? [t('time.from'), t('time.to')];
  const items = PERIODS.map((period) => ({
    key: period,
    label: t(`time.periods.${period}`),
    onClick: () => onChange(periodOf(period, Date.now())),
  }));
  return (
    <span className="time-range">
      <TimeField
        {...(id !== undefined && { id })}
        label={from}
        value={value.from}
        onChange={(next) => onChange({ ...value, from: next })}
      />
      {'–'}
      <TimeField label={to} value={value.to} onChange={(next) => onChange({ ...value, to: next })} />
      <MenuButton
        menu={{ items }}
        icon={<ClockCircleOutlined />}
        aria-label={t('time.period')}
        title={t('time.period')}
      />
    </span>
  );
}
