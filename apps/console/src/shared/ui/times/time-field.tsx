import { type ComponentProps, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import { shownTime } from '../../lib/time/wall-time.ts';

const TimePicker = lazy(() => loadChunk(() => import('./time-picker.tsx')));

/**
 * A date and time, `yyyy-MM-dd HH:mm` in the installation's time zone: typed, or selected from a calendar. Typed text
 * is applied on Enter or when the field is left. The calendar is loaded with the field.
 */
export function TimeField(props: ComponentProps<typeof TimePicker>) {
  const { t } = useTranslation();
  const waiting = { className: 'time-input', value: shownTime(props.value), readOnly: true };
  return (
    <Suspense fallback={<input {...waiting} id={props.id} aria-label={props.label} placeholder={t('time.format')} />}>
      <TimePicker {...props} />
    </Suspense>
  );
}
