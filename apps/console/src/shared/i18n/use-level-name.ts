import type { Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

const LEVELS: readonly Level[] = [0, 1, 2, 3, 4, 5];

/** Returns the number and name of a level in the language of the console, for example `3 (medium)`. */
export function useLevelName(): (level: Level) => string {
  const { t } = useTranslation();
  return (level) => t(`level.${level}`);
}

/** Returns the levels as options of a select. Levels for which `disabled` is true cannot be selected. */
export function useLevelOptions() {
  const levelName = useLevelName();
  return (disabled: (level: Level) => boolean = () => false) =>
    LEVELS.map((value) => ({ value, label: levelName(value), disabled: disabled(value) }));
}
