import { fieldLabel } from '@chargehand/contract/fields';
import type { Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLevelName } from '../../../shared/i18n/use-level-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { partsOf } from './difference.ts';

/**
 * The label of a logged field: `levels.device.read` is the level for reading devices. A part without a text, such as
 * the key of a parameter, is shown unchanged.
 */
export function useFieldWord(): (path: string) => string {
  const { t, i18n } = useTranslation('audit');
  const locale = useLocale();
  const wordOf = (part: string) =>
    i18n.exists(`audit:fields.${part}`) ? t(`fields.${part as 'site'}`) : fieldLabel(part, locale);
  return (path) => partsOf(path).map(wordOf).join(' · ');
}

/** The text of a logged value, such as `used` of a recovery code; null for values that are shown unchanged. */
export function useValueWord(): (path: string, value: unknown) => string | null {
  const { t, i18n } = useTranslation('audit');
  const kindWord = useKindWord();
  const levelName = useLevelName();
  return (path, value) => {
    const field = partsOf(path).at(-1);
    if (typeof value === 'boolean') return t(`values.flag.${value}`);
    if (isLevel(path, value)) return levelName(value);
    if (typeof value !== 'string') return null;
    if (field === 'kind') return kindWord(value);
    return i18n.exists(`audit:values.${field}.${value}`)
      ? t(`values.${field}.${value}` as 'values.recoveryCode.used')
      : null;
  };
}

/** The label of a kind of command. A kind without a text is shown unchanged. */
export function useKindWord(): (kind: string) => string {
  const { t, i18n } = useTranslation('operations');
  return (kind) => (i18n.exists(`operations:kinds.${kind}.do`) ? t(`kinds.${kind as 'softReset'}.do`) : kind);
}

/** True for the levels of a role (`levels.device.read`) and of a device model (`controlLevel`, `controls.4.level`). */
function isLevel(path: string, value: unknown): value is Level {
  const [first, ...rest] = partsOf(path);
  const isOne = first === 'levels' || /level$/i.test(rest.at(-1) ?? first ?? '');
  return isOne && typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 5;
}
