import { useTranslation } from 'react-i18next';
import './keys-dialog.css';
import { SEARCH_KEYS } from '../../lib/browser/search-keys.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

const KEYS = [
  { keys: SEARCH_KEYS, word: 'searchAll' },
  { keys: ['/'], word: 'search' },
  { keys: ['↓', '↑', 'j', 'k'], word: 'walk' },
  { keys: ['Home', 'End'], word: 'ends' },
  { keys: ['Enter'], word: 'open' },
  { keys: ['Space'], word: 'select' },
  { keys: ['a'], word: 'acknowledge' },
  { keys: ['?'], word: 'help' },
  { keys: ['F1'], word: 'manual' },
] as const;

/** The keyboard shortcuts of a page with a list. */
export default function KeysDialog({ selects, onClose }: { selects: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const reads = usePermitted(['auth_docs_detail']);
  // Only lists of alarms have rows with this key.
  const acknowledges = document.querySelector('[data-row-key] [aria-keyshortcuts="a"]') !== null;
  return (
    <Dialog title={t('keys.title')} footer={null} width={380} onCancel={onClose}>
      <dl className="keys-list">
        {KEYS.filter(
          ({ word }) =>
            (selects || word !== 'select') && (reads || word !== 'manual') && (acknowledges || word !== 'acknowledge'),
        ).map(({ keys, word }) => (
          <div key={word}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${word}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
