import { type ParameterKey, systemParameter } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The texts of the catalogue in the language of the console, and values with their units. */
export function useParameterTexts() {
  const { t, i18n } = useTranslation('system-parameters');
  const of = (text: { en: string; zh: string }) => (i18n.language === 'zh-CN' ? text.zh : text.en);
  return {
    label: (key: ParameterKey) => of(systemParameter(key).label),
    help: (key: ParameterKey) => of(systemParameter(key).help),
    why: (key: ParameterKey) => of(systemParameter(key).why),
    value(key: ParameterKey, value: number) {
      const { unit } = systemParameter(key);
      const shown = value.toLocaleString('en-US');
      return unit === 'count' ? shown : t(`units.${unit}`, { count: value, shown });
    },
  };
}
