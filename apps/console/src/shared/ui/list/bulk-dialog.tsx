import type { BulkAnswer } from '@chargehand/contract';
import { BULK_SLICE } from '@chargehand/contract/constants';
import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { refresh } from '../../api/query.ts';
import type { Selection } from '../../hooks/lists/use-selection.ts';
import { useSlices } from '../../hooks/lists/use-slices.ts';
import type { Sliced } from '../../lib/lists/in-slices.ts';
import { toast } from '../dialogs/toast.ts';
import type { BulkChange } from './bulk-action.ts';
import { SelectionChanges } from './selection-changes.tsx';
import './bulk-dialog.css';
import { Dialog } from '../dialogs/dialog.tsx';
import { LeaveGuard } from '../dialogs/leave-guard.tsx';
import { SliceProgress } from '../dialogs/slice-progress.tsx';

/** The number of names that are listed before the rest is counted. */
const NAMED = 5;

interface Props {
  action: BulkChange;
  selection: Selection;
  /** the fields of the change */
  children?: ReactNode;
  /** false while the fields are incomplete */
  complete?: boolean;
  onClose(): void;
}

/** Asks for confirmation before a bulk change, and then lists failed rows with the reason. */
export default function BulkDialog({ action, selection, children, complete = true, onClose }: Props) {
  const { t } = useTranslation();
  // Keeps the requested names visible while the selection shrinks to the remaining rows.
  const [names] = useState(selection.names);
  const [typed, setTyped] = useState('');
  const inputId = useId();
  const ready = complete && (!action.typed || typed.trim() === String(names.size));
  const slices = useSlices();
  const change = useMutation({
    mutationFn: () => slices.run([...names.keys()], action.run),
    onSuccess: async ({ results, error }) => {
      const changed = new Set(results.filter(({ code }) => code === 0).map(({ id }) => id));
      selection.keep([...names.keys()].filter((id) => !changed.has(id)));
      if (changed.size === names.size) {
        toast.success(t('list.done', { count: changed.size }));
        onClose();
      }
      await refresh(...action.refreshes);
      if (results.length === 0 && error) throw error;
    },
  });
  const failed = change.data?.results.filter(({ code }) => code !== 0) ?? [];
  const finished = change.data !== undefined && !change.error;
  const stop = () => {
    slices.stop();
    if (!change.isPending) onClose();
  };
  return (
    <Dialog
      title={t('list.actionOf', { action: action.label, count: names.size })}
      width={480}
      onCancel={stop}
      footer={
        finished ? (
          <Button type="primary" autoFocus onClick={onClose}>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button onClick={stop}>{t(change.isPending ? 'list.stop' : 'cancel')}</Button>
            <Button
              type="primary"
              danger={action.danger ?? false}
              loading={change.isPending}
              disabled={!ready}
              onClick={() => change.mutate()}
            >
              {action.label}
            </Button>
          </>
        )
      }
    >
      {change.isPending && <LeaveGuard pending />}
      <div className="dialog-text">
        {finished ? (
          <Outcome sliced={change.data} failed={failed} names={names} />
        ) : change.isPending && names.size > BULK_SLICE ? (
          <SliceProgress done={slices.done} total={names.size} label={action.label} />
        ) : (
          <>
            <Question text={action.text} names={names} />
            <SelectionChanges selection={selection} />
            {children}
            {action.typed && (
              <>
                <label htmlFor={inputId}>{t('list.typeCount', { count: names.size })}</label>
                <Input
                  id={inputId}
                  value={typed}
                  autoComplete="off"
                  inputMode="numeric"
                  onChange={(event) => setTyped(event.target.value)}
                />
              </>
            )}
          </>
        )}
        {change.error && (
          <p className="error-note" role="alert">
            {change.error instanceof ApiProblem ? change.error.message : t('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Question({ text, names }: { text: string; names: ReadonlyMap<number, string> }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{text}</p>
      <ul className="bulk-names">
        {[...names].slice(0, NAMED).map(([id, name]) => (
          <li key={id}>{name}</li>
        ))}
        {names.size > NAMED && <li className="quiet">{t('list.more', { count: names.size - NAMED })}</li>}
      </ul>
    </>
  );
}

function Outcome(props: {
  sliced: Sliced<BulkAnswer['results'][number]>;
  failed: BulkAnswer['results'];
  names: ReadonlyMap<number, string>;
}) {
  const { sliced, failed, names } = props;
  const { t } = useTranslation();
  const untried = names.size - sliced.results.length;
  return (
    <>
      <p role="status">
        {t('list.done', { count: sliced.results.length - failed.length })}
        {' · '}
        <strong>{t('list.notDone', { count: failed.length })}</strong>
        {untried > 0 && ` · ${t('list.notTried', { count: untried })}`}
      </p>
      {sliced.error instanceof ApiProblem && (
        <p className="error-note" role="alert">
          {sliced.error.message}
        </p>
      )}
      <dl className="bulk-failures">
        {failed.map(({ id, message }) => (
          <div key={id}>
            <dt>{names.get(id)}</dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
