import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { LeaveGuard } from '../dialogs/leave-guard.tsx';
import { ErrorNote } from '../states/error-note.tsx';
import './save-bar.css';

interface Props {
  /** there are unsaved changes */
  dirty: boolean;
  /** saving is impossible now, such as with an invalid value; default false */
  disabled?: boolean;
  save: { isPending: boolean; error: Error | null; mutate(): void };
  /** shows a button that discards the changes */
  onDiscard?: () => void;
}

/**
 * Saves what a page changes in place: at the end of the page, and visible while it scrolls. Shows why saving failed, and
 * asks before unsaved changes are lost.
 */
export function SaveBar({ dirty, disabled = false, save, onDiscard }: Props) {
  const { t } = useTranslation();
  return (
    <div className="save-bar">
      <LeaveGuard active={dirty} pending={save.isPending} />
      <ErrorNote text={save.error instanceof ApiProblem ? save.error.message : null} />
      <Button type="primary" disabled={!dirty || disabled} loading={save.isPending} onClick={() => save.mutate()}>
        {t('save')}
      </Button>
      {onDiscard && (
        <Button disabled={!dirty || save.isPending} onClick={onDiscard}>
          {t('discard')}
        </Button>
      )}
    </div>
  );
}
