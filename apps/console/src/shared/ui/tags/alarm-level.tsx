import type { AlarmLevel as Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import './tag.css';

/**
 * The level of an alarm as a word and a shape: a filled triangle for critical, a diamond for major, a circle for minor. Its
 * code is in the tooltip.
 * @param title names it for something other than an alarm
 */
export function AlarmLevel({ level, title }: { level: Level; title?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <abbr className={`alarm-level alarm-level-${level}`} title={title ?? `${level}: ${t(`alarmLevel.${level}`)}`}>
      {t(`levelName.${level}`)}
    </abbr>
  );
}
