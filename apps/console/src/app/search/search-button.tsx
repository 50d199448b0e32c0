import { SearchOutlined } from '@ant-design/icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { isDialogOpen } from '../../shared/lib/browser/dialog-open.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';
import { SEARCH_KEYS } from '../../shared/lib/browser/search-keys.ts';

/** Loaded when it is opened first, with its texts. */
const Palette = lazy(() =>
  loadChunk(async () => {
    const [palette] = await Promise.all([import('./palette.tsx'), loadWords(['search'])]);
    return palette;
  }),
);

const KEYS = SEARCH_KEYS.join(' ');

/** The button of the global search in the header, and its shortcut. */
export function SearchButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const wanted = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!wanted || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // A dialog may have input that would be lost.
      if (!isDialogOpen()) setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="header-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={`${t('shell.search')} (${KEYS})`}
        onClick={() => setOpen(true)}
      >
        <SearchOutlined aria-hidden="true" />
        <span>{t('shell.search')}</span>
        <span aria-hidden="true">
          <kbd translate="no">{KEYS}</kbd>
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
