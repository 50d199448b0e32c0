import type { AlarmLevel as Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import './tag.css';

/**
 * The level of an alarm: filled for critical, outlined for major, dashed for ordinary. `title` names it for something
 * other than an alarm.
 */
export function AlarmLevel({ level, title }: { level: Level; title?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <abbr className={`alarm-level alarm-level-${level}`} title={title ?? t(`alarmLevel.${level}`)}>
      {level}
    </abbr>
  );
}
