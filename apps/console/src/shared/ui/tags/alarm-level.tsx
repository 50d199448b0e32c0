import type { AlarmLevel as Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import './tag.css';

/** The level of an alarm: filled for critical, outlined for major, dashed for ordinary. */
export function AlarmLevel({ level }: { level: Level }) {
  const { t } = useTranslation();
  return (
    <abbr className={`alarm-level alarm-level-${level}`} title={t(`alarmLevel.${level}`)}>
      {level}
    </abbr>
  );
}
