import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { ImportDialog } from '../../../../shared/ui/dialogs/import-dialog.tsx';
import { useGuardedClose } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { useOwnNavigate } from '../../../../shared/ui/dialogs/own-navigate.ts';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { Field } from '../../field.tsx';
import { ImportReportView } from './import-report.tsx';

/** The limit of the contract. */
const MOST_CHARACTERS = 900_000;

/**
 * Imports a model from a file. The expected result is shown first, and nothing is imported while there are problems.
 */
export function ModelImport({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('models');
  const navigate = useOwnNavigate();
  const id = useId();
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
      onClose();
      navigate(`/manage/device-model/${made}`);
      await refresh('listDeviceModels', 'listDataItems', 'listItemGroups');
    },
  });

  const { close, guard } = useGuardedClose(name.trim() !== '' && !take.isPending && !take.isSuccess, onClose);

  async function choose(chosen: File) {
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
  const ready = file !== null && report !== undefined && report.problems.length === 0 && !preview.isPending;
  return (
    <>
      {guard}
      <ImportDialog
        title={t('import.title')}
        text={t('import.text')}
        ok={t('import.import')}
        choose={t('import.choose')}
        accept=".json,application/json"
        fileName={file?.name ?? null}
        unfit={unfit}
        problem={take.error ?? preview.error}
        checking={preview.isPending}
        ready={ready}
        importing={take.isPending}
        width={640}
        onChoose={(chosen) => void choose(chosen)}
        onImport={() => file && take.mutate(file.text)}
        onClose={close}
      >
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
      </ImportDialog>
    </>
  );
}
