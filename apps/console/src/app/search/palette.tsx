import { CloseOutlined, SearchOutlined } from '@ant-design/icons';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { PlainButton } from '../../shared/ui/states/plain-button.tsx';
import type { Entry } from './entries.ts';
import { searchable } from './match-names.ts';
import css from './palette.module.css';
import { PaletteEntry } from './palette-entry.tsx';
import { rememberEntry } from './recent.ts';
import { useGroups } from './use-groups.ts';

/**
 * The global search: a dialog with a combobox (WAI-ARIA APG) whose focus stays in the field. The arrow keys choose,
 * Enter opens, Ctrl+Enter opens a new tab, Escape closes.
 */
export default function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('search');
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  // What is searched. While an input method composes characters, its letters are no search yet.
  const [text, setText] = useState('');
  const composes = useRef(false);
  const { groups, waits, failed, hint, retry } = useGroups(text);
  const entries = groups.flatMap((group) => group.entries);
  // The choice belongs to a text: the first entry of the next text is chosen again.
  const [choice, setChoice] = useState({ text: '', key: '' });
  const chosen = Math.max(
    0,
    entries.findIndex(({ key }) => choice.text === text && key === choice.key),
  );
  const current = entries[chosen];
  const [opensFirst, setOpensFirst] = useState<null | 'here' | 'newTab'>(null);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  function open(entry: Entry, newTab: boolean): void {
    rememberEntry(entry);
    if (newTab && entry.to !== undefined) {
      window.open(entry.to, '_blank', 'noopener');
      return;
    }
    dialog.current?.close();
    if (entry.to !== undefined) void navigate(entry.to);
    entry.run?.();
  }

  // Enter right after typing, or from a barcode scanner, opens the first result of that text, not of an older one.
  useEffect(() => {
    if (opensFirst === null || waits) return;
    setOpensFirst(null);
    const first = entries[0];
    if (first) open(first, opensFirst === 'newTab');
  });

  function onKeyDown(event: KeyboardEvent): void {
    // Keys of an input method belong to it; Safari ends the composition before the key (code 229).
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    const move = MOVES[event.key];
    if (move && entries.length > 0) {
      event.preventDefault();
      const next = entries[(chosen + move + entries.length) % entries.length];
      if (next) setChoice({ text, key: next.key });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const newTab = event.ctrlKey || event.metaKey;
      if (waits && choice.text !== text) setOpensFirst(newTab ? 'newTab' : 'here');
      else if (current) open(current, newTab);
    }
  }

  /** A click beside the box closes it, as Escape does. */
  function onBackdrop(event: MouseEvent): void {
    if (event.target === dialog.current) dialog.current.close();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog
    <dialog ref={dialog} className={css.palette} aria-label={t('title')} onClose={onClose} onClick={onBackdrop}>
      <div className={css.box}>
        <div className={css.field}>
          <SearchOutlined aria-hidden="true" />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={current ? `${id}-${chosen}` : undefined}
            aria-label={t('title')}
            placeholder={t('placeholder')}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={100}
            value={typed}
            onChange={(event) => {
              setOpensFirst(null);
              setTyped(event.target.value);
              if (!composes.current) setText(searchable(event.target.value));
            }}
            onCompositionStart={() => {
              composes.current = true;
            }}
            onCompositionEnd={(event) => {
              composes.current = false;
              setText(searchable(event.currentTarget.value));
            }}
            onKeyDown={onKeyDown}
          />
          <button
            type="button"
            className={css.close}
            aria-label={t('close')}
            title={t('close')}
            onClick={() => dialog.current?.close()}
          >
            <CloseOutlined aria-hidden="true" />
          </button>
        </div>
        <div className={css.results}>
          <div id={id} role="listbox" aria-label={t('title')} aria-busy={waits}>
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`} className={css.group}>
                <p id={`${id}-${group.name}`} role="presentation">
                  {t(`groups.${group.name}`)}
                </p>
                {group.entries.map((entry) => (
                  <PaletteEntry
                    key={entry.key}
                    id={`${id}-${entries.indexOf(entry)}`}
                    entry={entry}
                    chosen={entry === current}
                    onChoose={() => setChoice({ text, key: entry.key })}
                    onOpen={(newTab) => open(entry, newTab)}
                  />
                ))}
              </div>
            ))}
          </div>
          {hint && <p className={css.note}>{hint}</p>}
          {failed && (
            <p className={css.problem} role="alert">
              <span>{t(failed === 'offline' ? 'offline' : 'failed')}</span>
              {failed === 'server' && <PlainButton onClick={retry}>{t('retry')}</PlainButton>}
            </p>
          )}
          {text !== '' && !waits && !failed && !hint && entries.length === 0 && (
            <p className={css.note}>{t('none', { text: typed.trim() })}</p>
          )}
          {waits && entries.length === 0 && <p className={css.note}>{t('searching')}</p>}
        </div>
        <output className={css.unseen}>{text !== '' && !waits && t('found', { count: entries.length })}</output>
        <footer className={css.keys} aria-hidden="true">
          {KEYS.map(([key, keys]) => (
            <span key={key}>
              <kbd translate="no">{keys}</kbd> {t(`keys.${key}`)}
            </span>
          ))}
        </footer>
      </div>
    </dialog>
  );
}

const KEYS = [
  ['move', '↑ ↓'],
  ['open', '↵'],
  ['newTab', 'Ctrl ↵'],
  ['close', 'Esc'],
] as const;
/** How far a key moves the choice. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
