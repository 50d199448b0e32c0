import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** also the name of the field in its form */
  id: string;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  /** the rules of the password */
  hint?: string;
  /** gets the focus when it appears */
  focus?: boolean;
}

/** A password field, hidden by default, with a note when Caps Lock is on. */
export function PasswordField({ id, label, autoComplete, hint, focus = false }: Props) {
  const { t } = useTranslation('access');
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div className="login-password">
        <input
          id={id}
          name={id}
          ref={field}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          maxLength={128}
          onKeyDown={watch}
          onKeyUp={watch}
          onBlur={() => setCapsLock(false)}
          aria-describedby={`${id}-hint`}
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label={shown ? t('login.hidePassword') : t('login.showPassword')}
          title={shown ? t('login.hidePassword') : t('login.showPassword')}
          onClick={() => setShown(!shown)}
        >
          <Eye crossed={!shown} />
        </button>
      </div>
      <p id={`${id}-hint`} className={hint ? 'login-hint login-hint-apart' : 'login-hint'} aria-live="polite">
        {capsLock ? t('login.capsLock') : hint && <span className="login-hint-rule">{hint}</span>}
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
