import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The password, hidden unless asked for, with a word when Caps Lock is on. */
export function PasswordField() {
  const { t } = useTranslation('access');
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <>
      <label htmlFor="password">{t('login.password')}</label>
      <div className="login-password">
        <input
          id="password"
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          maxLength={128}
          onKeyDown={watch}
          onKeyUp={watch}
          onBlur={() => setCapsLock(false)}
          aria-describedby="caps-lock"
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label={shown ? t('login.hidePassword') : t('login.showPassword')}
          title={shown ? t('login.hidePassword') : t('login.showPassword')}
          onClick={() => setShown(!shown)}
        >
          <Eye crossed={shown} />
        </button>
      </div>
      <p id="caps-lock" className="login-hint" aria-live="polite">
        {capsLock && t('login.capsLock')}
      </p>
    </>
  );
}

function Eye({ crossed }: { crossed: boolean }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
    >
      <path d="M1.5 9S4.2 4 9 4s7.5 5 7.5 5-2.7 5-7.5 5S1.5 9 1.5 9Z" />
      <circle cx="9" cy="9" r="2.3" />
      {crossed && <path d="m3 15.5 12-13" strokeLinecap="round" />}
    </svg>
  );
}
