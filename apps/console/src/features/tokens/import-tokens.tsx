import { endingOf, formatSize, TOKEN_IMPORT_BYTES } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { base64Of } from '../../shared/storage/base64.ts';
import { ImportDialog } from '../../shared/ui/dialogs/import-dialog.tsx';
import { CustomerPicker } from '../../shared/ui/list-page/pickers.tsx';
import css from './tokens.module.css';

/** Starts an import of tokens. Its progress and the skipped rows are on the tab of imports. */
export function ImportTokens({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('tokens');
  const navigate = useNavigate();
  const [customerId, setCustomerId] = useState<number>();
  const [file, setFile] = useState<{ fileName: string; content: string } | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: (body: { customerId: number; fileName: string; content: string }) =>
      call('importTokens', { body }, { quiet: true }),
    onSuccess() {
      void refresh('listTokenImports');
      onClose();
      navigate('/manage/token/list?tab=imports');
    },
  });

  async function choose(chosen: File) {
    setFile(null);
    setUnfit(null);
    begin.reset();
    if (endingOf(chosen.name) !== 'xlsx') return setUnfit(t('import.unsupported'));
    if (chosen.size > TOKEN_IMPORT_BYTES)
      return setUnfit(t('import.tooLarge', { limit: formatSize(TOKEN_IMPORT_BYTES) }));
    // Deleted or moved since it was chosen.
    const content = await base64Of(chosen).catch(() => null);
    if (content === null) return setUnfit(t('import.unreadable'));
    setFile({ fileName: chosen.name, content });
  }

  return (
    <ImportDialog
      title={t('import.title')}
      text={t('import.text')}
      ok={t('import.ok')}
      choose={t('import.choose')}
      accept=".xlsx"
      fileName={file?.fileName ?? null}
      unfit={unfit}
      problem={begin.error}
      checking={false}
      ready={file !== null && customerId !== undefined}
      importing={begin.isPending}
      fields={
        <div className={css.field}>
          <CustomerPicker value={customerId} onChange={setCustomerId} placeholder={t('customer')} />
        </div>
      }
      onChoose={(chosen) => void choose(chosen)}
      onImport={() => file && customerId !== undefined && begin.mutate({ ...file, customerId })}
      onClose={onClose}
    />
  );
}
