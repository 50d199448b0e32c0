import type { UserInfo } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLocale } from '../../i18n/i18n.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { Logo, ProductName } from '../page/logo.tsx';

type Settings = Pick<UserInfo['settings'], 'languageSwitch' | 'version'>;

/** The frame of the sign-in page: the brand on the dark side, the form on the light side. */
export function LoginFrame({ settings, children }: { settings: Settings | null; children: ReactNode }) {
  const { t } = useTranslation('access');
  const { t: common } = useTranslation();
  const locale = useLocale();
  return (
    <div className="login">
      <div className="login-side">
        <p className="login-brand">
          <Logo size={30} />
          <ProductName />
        </p>
        <p className="login-claim">
          <span>{t('login.claimFirst')}</span>
          <span>{t('login.claimSecond')}</span>
        </p>
        <Pulse />
      </div>
      <main className="login-main">
        <div className="login-card">{children}</div>
        <footer>
          {settings?.languageSwitch &&
            LOCALES.map((key) => (
              <button
                type="button"
                key={key}
                className="login-link"
                lang={key}
                aria-pressed={key === locale}
                onClick={() => void chooseLocale(key)}
              >
                {common(`language.${key}`)}
              </button>
            ))}
          {settings && <span className="mono">{settings.version}</span>}
        </footer>
      </main>
    </div>
  );
}

/** A stylized charging curve: rise, plateau, taper, and the current point. */
function Pulse() {
  return (
    <svg className="login-curve" viewBox="0 0 480 200" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
      <g stroke="var(--rail-line)" strokeWidth="1">
        {[20, 60, 100, 140, 180].map((y) => (
          <line key={y} x1="0" x2="480" y1={y} y2={y} />
        ))}
        {[0, 80, 160, 240, 320, 400, 480].map((x) => (
          <line key={x} x1={x} x2={x} y1="20" y2="180" />
        ))}
      </g>
      <path
        d="M0 180H42C52 180 54 64 74 54H236C300 56 318 92 352 118"
        fill="none"
        stroke="var(--mark)"
        strokeWidth="2"
      />
      <path
        d="M352 118C388 146 410 164 480 172"
        fill="none"
        stroke="var(--rail-ink-2)"
        strokeWidth="1.5"
        strokeDasharray="3 5"
      />
      <circle cx="352" cy="118" r="4.5" fill="var(--mark)" />
    </svg>
  );
}
