import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Selection, useChosen } from '../../hooks/lists/use-selection.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import type { BulkAction, BulkOpening } from './bulk-action.ts';

const BulkDialog = lazy(() => loadChunk(() => import('./bulk-dialog.tsx')));

/** The number of selected rows, and the bulk actions. */
export default function BulkBar({ selection, actions }: { selection: Selection; actions: readonly BulkAction[] }) {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState<Exclude<BulkAction, BulkOpening> | null>(null);
  const count = useChosen(selection, (names) => names.size);
  if (count === 0 && !confirming) return null;
  return (
    <div className="bulk-bar" role="toolbar" aria-label={t('list.selected', { count })}>
      <strong role="status">{t('list.selected', { count })}</strong>
      {actions.map((action) => (
        <Button
          key={action.key}
          size="small"
          danger={action.danger ?? false}
          disabled={count === 0}
          onClick={() => ('open' in action ? action.open([...selection.names.keys()]) : setConfirming(action))}
        >
          {action.label}
        </Button>
      ))}
      <button type="button" className="text-button" onClick={() => selection.keep([])}>
        {t('list.clearSelection')}
      </button>
      {confirming && (
        <Suspense>
          {'dialog' in confirming ? (
            <confirming.dialog selection={selection} onClose={() => setConfirming(null)} />
          ) : (
            <BulkDialog action={confirming} selection={selection} onClose={() => setConfirming(null)} />
          )}
        </Suspense>
      )}
    </div>
  );
}
