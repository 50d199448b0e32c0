import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Modifiers, PHONE_KEYS, type PhoneKey } from './keys.ts';
import css from './terminal.module.css';

/** What is printed on keys, in every language. */
const PRINTED: Record<Exclude<PhoneKey, 'left' | 'right' | 'up' | 'down'>, string> = {
  esc: 'Esc',
  tab: 'Tab',
  home: 'Home',
  end: 'End',
  pageUp: 'PgUp',
  pageDown: 'PgDn',
  slash: '/',
  pipe: '|',
  dash: '-',
  tilde: '~',
};
const ARROWS = { left: '←', right: '→', up: '↑', down: '↓' } as const;

interface Props {
  modifiers: Modifiers;
  onModifiers(next: Modifiers): void;
  onKey(key: PhoneKey): void;
}

/** The keys that the keyboard of a phone lacks. Pressing them leaves that keyboard open. */
export function PhoneKeys({ modifiers, onModifiers, onKey }: Props) {
  const { t } = useTranslation('links');
  const { ctrl, alt } = modifiers;
  return (
    <div className={css.keys} role="toolbar" aria-label={t('terminal.keys')}>
      <Key pressed={ctrl} onPress={() => onModifiers({ ...modifiers, ctrl: !ctrl })}>
        <span translate="no">Ctrl</span>
      </Key>
      <Key pressed={alt} onPress={() => onModifiers({ ...modifiers, alt: !alt })}>
        <span translate="no">Alt</span>
      </Key>
      {PHONE_KEYS.map((key) => (
        <Key
          key={key}
          label={key in ARROWS ? t(`terminal.key.${key as keyof typeof ARROWS}`) : undefined}
          onPress={() => onKey(key)}
        >
          {key in ARROWS ? ARROWS[key as keyof typeof ARROWS] : PRINTED[key as keyof typeof PRINTED]}
        </Key>
      ))}
    </div>
  );
}

interface KeyProps {
  label?: string | undefined;
  pressed?: boolean;
  onPress(): void;
  children: ReactNode;
}

function Key({ label, pressed, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
