import { type AlarmLevel, ISSUE_PRIORITIES, ISSUE_TYPE_NUMBERS, type IssuePriority } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The alarm level that has the name of a priority. */
export const LEVEL_OF = Object.fromEntries(
  Object.entries(ISSUE_PRIORITIES).map(([level, priority]) => [priority, level]),
) as Record<IssuePriority, AlarmLevel>;

/** The types of issues as options of a field. */
export function useTypeOptions() {
  const { t } = useTranslation('issues');
  return ISSUE_TYPE_NUMBERS.map((value) => ({ value, label: t(`type.${value}`) }));
}
