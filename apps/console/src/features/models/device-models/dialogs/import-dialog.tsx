import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../../shared/api/client.ts';
import { ApiProblem } from '../../../../shared/api/problem.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { Field } from '../../field.tsx';
import { ImportReportView } from './import-report.tsx';

/** The limit of the contract. */
const MOST_CHARACTERS = 900_000;

/**
 * Imports a model from a file. The expected result is shown first, and nothing is imported while there are problems.
 */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [name, setName] = useState('');
  const given = name.trim() === '' ? {} : { name: name.trim() };
  const preview = useMutation({
    mutationFn: (body: { text: string; name?: string }) =>
      call('importDeviceModel', { body: { ...body, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: (text: string) =>
      call('importDeviceModel', { body: { text, dryRun: false, ...given } }, { quiet: true }),
    onSuccess: async ({ id: made, report }) => {
      toast.success(t('model.added', { name: report.name }));
      await refresh('listDeviceModels', 'listDataItems', 'listItemGroups');
      onClose();
      navigate(`/manage/device-model/${made}`);
    },
  });

  const { close, guard } = useGuardedClose(name.trim() !== '' && !take.isPending && !take.isSuccess, onClose);

  async function choose(chosen: File | undefined) {
    if (!chosen) return;
    setUnfit(null);
    setFile(null);
    setName('');
    take.reset();
    preview.reset();
    if (!/\.json$/i.test(chosen.name)) return setUnfit(t('import.notJson'));
    const text = await chosen.text();
    if (text.trim() === '') return setUnfit(t('import.nothing'));
    if (text.length > MOST_CHARACTERS) return setUnfit(t('import.tooLarge', { limit: MOST_CHARACTERS / 1_000 }));
    setFile({ name: chosen.name, text });
    preview.mutate({ text });
  }

  const report = preview.data?.report;
  const problem = take.error ?? preview.error;
  const ready = file !== null && report !== undefined && report.problems.length === 0 && !preview.isPending;
  return (
    <Dialog
      title={t('import.title')}
      okText={t('import.import')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !ready, loading: take.isPending }}
      onOk={() => file && take.mutate(file.text)}
      onCancel={close}
      width={640}
    >
      {guard}
      <div className="dialog-text">
        <p>{t('import.text')}</p>
        <span className="field-row">
          <input
            ref={input}
            id={`${id}-file`}
            className="visually-hidden"
            type="file"
            accept=".json,application/json"
            aria-label={t('import.choose')}
            onChange={(event) => {
              void choose(event.target.files?.[0]);
              // Allows the same file to be selected again after it was fixed.
              event.target.value = '';
            }}
          />
          <Button onClick={() => input.current?.click()}>{t('import.choose')}</Button>
          {file && <span className="mono">{file.name}</span>}
        </span>
        {unfit !== null && (
          <p className="error-note" role="alert">
            {unfit}
          </p>
        )}
        {problem instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {problem.message}
          </p>
        )}
        {preview.isPending && <SkeletonRows rows={3} />}
        {report && file && (
          <>
            <Field id={`${id}-name`} label={t('import.name')}>
              <Input
                id={`${id}-name`}
                value={name}
                maxLength={64}
                placeholder={report.name}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
                onBlur={() => preview.mutate({ text: file.text, ...given })}
                onPressEnter={() => preview.mutate({ text: file.text, ...given })}
              />
            </Field>
            <ImportReportView report={report} />
          </>
        )}
      </div>
    </Dialog>
  );
}
