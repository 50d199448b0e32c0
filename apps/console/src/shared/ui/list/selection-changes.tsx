import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '../../hooks/lists/use-selection.ts';

/** In a dialog for all rows of a filter: how many joined or left since they were selected. */
export function SelectionChanges({ selection }: { selection: Selection }) {
  const { t } = useTranslation();
  // Of the time when the dialog was opened; the selection behind it shrinks as rows are done.
  const [changes] = useState(selection.changes);
  if (!changes) return null;
  const texts = [
    changes.joined > 0 && t('list.joined', { count: changes.joined }),
    changes.left > 0 && t('list.left', { count: changes.left }),
  ];
  return (
    <p className="warning-note" role="status">
      {texts.filter(Boolean).join(' · ')}
    </p>
  );
}
