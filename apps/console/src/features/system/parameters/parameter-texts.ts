import {
  brandingParameter,
  isBrandingKey,
  type ParameterKey,
  type SettingKey,
  settingLabel,
  systemParameter,
} from '@chargehand/domain';
import { useTranslation } from 'react-i18next';

/** The texts of the catalogue in the language of the console, and values with their units. */
export function useParameterTexts() {
  const { t, i18n } = useTranslation('system-parameters');
  const of = (text: { en: string; zh: string }) => (i18n.language === 'zh-CN' ? text.zh : text.en);
  return {
    label: (key: SettingKey) => of(settingLabel(key)),
    help: (key: SettingKey) => of((isBrandingKey(key) ? brandingParameter(key) : systemParameter(key)).help),
    why: (key: ParameterKey) => of(systemParameter(key).why),
    value(key: SettingKey, value: number | string) {
      if (isBrandingKey(key)) return value === '' ? t('branding.none') : String(value);
      const { unit } = systemParameter(key);
      const shown = value.toLocaleString('en-US');
      return unit === 'count' ? shown : t(`units.${unit}`, { count: Number(value), shown });
    },
  };
}
