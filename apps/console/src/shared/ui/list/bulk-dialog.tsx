import type { BulkAnswer } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { refresh } from '../../api/query.ts';
import type { Selection } from '../../hooks/lists/use-selection.ts';
import { toast } from '../dialogs/toast.ts';
import type { BulkChange } from './bulk-action.ts';
import './bulk-dialog.css';
import { Dialog } from '../dialogs/dialog.tsx';

/** The number of names that are listed before the rest is counted. */
const NAMED = 5;

/** Asks for confirmation before a bulk change, and then lists failed rows with the reason. */
export default function BulkDialog(props: { action: BulkChange; selection: Selection; onClose(): void }) {
  const { action, selection, onClose } = props;
  const { t } = useTranslation();
  // Keeps the requested names visible while the selection shrinks to the remaining rows.
  const [names] = useState(selection.names);
  const [typed, setTyped] = useState('');
  const inputId = useId();
  const ready = !action.typed || typed.trim() === String(names.size);
  const change = useMutation({
    mutationFn: () => action.run([...names.keys()]),
    onSuccess: async ({ results }) => {
      const left = results.filter(({ code }) => code !== 0);
      selection.keep(left.map(({ id }) => id));
      if (left.length === 0) {
        toast.success(t('list.done', { count: results.length }));
        onClose();
      }
      await refresh(...action.refreshes);
    },
  });
  const failed = change.data?.results.filter(({ code }) => code !== 0) ?? [];
  const finished = change.data !== undefined;
  return (
    <Dialog
      title={`${action.label} · ${names.size}`}
      width={480}
      onCancel={onClose}
      footer={
        finished ? (
          <Button type="primary" autoFocus onClick={onClose}>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
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
      <div className="dialog-text">
        {change.data ? (
          <Outcome answer={change.data} failed={failed} names={names} />
        ) : (
          <>
            <Question text={action.text} names={[...names.values()]} />
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

function Question({ text, names }: { text: string; names: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{text}</p>
      <ul className="bulk-names">
        {names.slice(0, NAMED).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > NAMED && <li className="quiet">{t('list.more', { count: names.length - NAMED })}</li>}
      </ul>
    </>
  );
}

function Outcome(props: { answer: BulkAnswer; failed: BulkAnswer['results']; names: ReadonlyMap<number, string> }) {
  const { answer, failed, names } = props;
  const { t } = useTranslation();
  return (
    <>
      <p role="status">
        {t('list.done', { count: answer.results.length - failed.length })}
        {' · '}
        <strong>{t('list.notDone', { count: failed.length })}</strong>
      </p>
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
