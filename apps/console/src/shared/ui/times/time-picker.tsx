import { DEFAULT_ZONE } from '@chargehand/domain';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { instantOf, shownTime } from '../../lib/time/wall-time.ts';
import { DatePicker } from '../date-picker.ts';

interface Props {
  id?: string;
  /** the accessible name, when no label refers to `id` */
  label?: string;
  /** ISO 8601 */
  value: string | null | undefined;
  onChange(value: string | null): void;
}

/** Accepted formats of typed times; the first one is shown. */
const FORMATS = ['YYYY-MM-DD HH:mm', 'YYYY-MM-DD H:mm', 'YYYY-M-D H:mm', 'YYYY/M/D H:mm', 'YYYY-MM-DDTHH:mm'];

export default function TimePicker({ id, label, value, onChange }: Props) {
  const { t } = useTranslation();
  const wall = shownTime(value);
  return (
    <DatePicker
      {...(id !== undefined && { id })}
      className="time-picker"
      aria-label={label}
      title={label}
      placeholder={t('time.format')}
      format={FORMATS}
      showTime={{ format: 'HH:mm' }}
      needConfirm={false}
      value={wall === '' ? null : dayjs(wall)}
      onChange={(next) => onChange(next ? isoOf(next.format('YYYY-MM-DDTHH:mm')) : null)}
      renderExtraFooter={() => t('time.zone', { zone: DEFAULT_ZONE })}
    />
  );
}

function isoOf(wallTime: string): string {
  return new Date(instantOf(wallTime)).toISOString();
}
