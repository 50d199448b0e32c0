import { LOCALES, THEMES } from '@chargehand/contract/constants';
import { useMutation } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { prefer } from '../../shared/session/preferences.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { useThemeChoice } from '../../shared/theme/theme.ts';
import css from './account.module.css';

/** Theme and, if the installation allows it, language. They are saved to the account. */
export function PreferenceChoices() {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const locale = useLocale();
  const theme = useThemeChoice();
  const keep = useMutation({ mutationFn: prefer });
  const { languageSwitch } = useUser().info.settings;
  return (
    <div className="stack">
      {languageSwitch && (
        <div className={`field-row ${css.myChoice}`}>
          <span id="my-language">{t('preferences.language')}</span>
          <Segmented
            aria-labelledby="my-language"
            value={locale}
            options={LOCALES.map((value) => ({
              value,
              label: <span lang={value}>{common(`language.${value}`)}</span>,
            }))}
            onChange={(next) => keep.mutate({ locale: next })}
          />
        </div>
      )}
      <div className={`field-row ${css.myChoice}`}>
        <span id="my-theme">{t('preferences.theme')}</span>
        <Segmented
          aria-labelledby="my-theme"
          value={theme}
          options={THEMES.map((value) => ({ value, label: common(`theme.${value}`) }))}
          onChange={(next) => keep.mutate({ theme: next })}
        />
      </div>
      <p className="quiet">{t('preferences.note')}</p>
    </div>
  );
}
