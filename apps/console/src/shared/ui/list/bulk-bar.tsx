import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReadMatching, type Selection, useChosen } from '../../hooks/lists/use-selection.ts';
import { lazyDialog } from '../dialogs/lazy/lazy-dialog.tsx';
import { toast } from '../dialogs/toast.ts';
import type { BulkAction, BulkOpening } from './bulk-action.ts';

const BulkDialog = lazyDialog(() => import('./bulk-dialog.tsx'));

interface Props {
  selection: Selection;
  actions: readonly BulkAction[];
  /** reads all rows that match the filters; omitted if they cannot be selected */
  matching?: ReadMatching | undefined;
  /** the number of rows that match the filters, if it is known */
  total?: number | undefined;
}

/** The number of selected rows, the selection of all matching ones, and the bulk actions. */
export default function BulkBar({ selection, actions, matching, total }: Props) {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState<Exclude<BulkAction, BulkOpening> | null>(null);
  const count = useChosen(selection, (names) => names.size);
  const whole = useChosen(selection, () => selection.whole);
  const choosing = useMutation({ mutationFn: (read: ReadMatching) => selection.chooseAll(read) });
  const opening = useMutation({
    mutationFn: () => selection.renew(),
    onSuccess: (_, action: BulkAction) => start(action),
  });
  if (count === 0 && !confirming) return null;
  const start = (action: BulkAction) => {
    const { size } = selection.names;
    if (size === 0) return;
    if (action.most !== undefined && size > action.most) toast.error(t('list.tooMany', { count: action.most }));
    else if (!('open' in action)) setConfirming(action);
    else if (action.whole && selection.whole) setConfirming(action.whole);
    else action.open([...selection.names.keys()]);
  };
  const more = matching && !whole && (total === undefined || total > count);
  return (
    <div className="bulk-bar" role="toolbar" aria-label={t('list.selected', { count })}>
      <strong role="status">{t('list.selected', { count })}</strong>
      {more && (
        <Button size="small" type="link" loading={choosing.isPending} onClick={() => choosing.mutate(matching)}>
          {total === undefined
            ? t('list.selectMatching')
            : t('list.selectAll', { total: total.toLocaleString('en-US') })}
        </Button>
      )}
      {actions.map((action) => (
        <Button
          key={action.key}
          size="small"
          danger={action.danger ?? false}
          disabled={count === 0}
          loading={opening.isPending && opening.variables === action}
          onClick={() => (selection.whole ? opening.mutate(action) : start(action))}
        >
          {action.label}
        </Button>
      ))}
      <button type="button" className="text-button" onClick={() => selection.keep([])}>
        {t('list.clearSelection')}
      </button>
      {confirming &&
        ('dialog' in confirming ? (
          <confirming.dialog selection={selection} onClose={() => setConfirming(null)} />
        ) : (
          <BulkDialog action={confirming} selection={selection} onClose={() => setConfirming(null)} />
        ))}
    </div>
  );
}
