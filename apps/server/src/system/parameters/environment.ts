import type { EnvironmentSetting, Locale } from '@chargehand/contract';
import { maskText, PARAMETER_KEYS, systemParameter } from '@chargehand/domain';
import { SECRET_SETTINGS, SETTINGS } from '../../platform/config/settings.ts';
import { SETTING_PURPOSES_ZH } from '../../platform/config/settings-zh.ts';

/** The environment variables of the product, in the order of `docs/operations.md`, without secret values. */
export function environmentSettings(
  environment: Readonly<Record<string, string | undefined>>,
  locale: Locale,
): EnvironmentSetting[] {
  return (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).map((name) => {
    const given = environment[name]?.trim() || null;
    const secret = SECRET_SETTINGS.has(name);
    const { fallback = null, purpose } = SETTINGS[name];
    const shown = given === null ? fallback : secret ? '••••••••' : maskText(given);
    return {
      ...{ name, value: shown, set: given !== null, secret },
      meaning: locale === 'zh-CN' ? SETTING_PURPOSES_ZH[name] : purpose.replaceAll('`', ''),
      parameter: PARAMETER_KEYS.find((key) => systemParameter(key).setting === name) ?? null,
    };
  });
}
