import { DICTIONARY_IMPORT_BYTES, type Dictionary, endingOf, formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { base64Of } from '../../../shared/storage/base64.ts';
import { ImportDialog } from '../../../shared/ui/dialogs/import-dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { refreshDictionaries } from '../refresh-dictionaries.ts';
import { ImportPreview } from './import-preview.tsx';

interface Chosen {
  fileName: string;
  content: string;
}

/** Imports the entries of a file. What would change is shown first, and nothing is imported while a row has problems. */
export function DictionaryImport({ dictionary, onClose }: { dictionary: Dictionary; onClose(): void }) {
  const { t } = useTranslation('dictionary');
  const [file, setFile] = useState<Chosen | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const params = { dictionary };
  const preview = useMutation({
    mutationFn: (chosen: Chosen) =>
      call('importDictionary', { params, body: { ...chosen, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: ({ chosen, change }: { chosen: Chosen; change: number }) =>
      call('importDictionary', { params, body: { ...chosen, dryRun: false, change } }, { quiet: true }),
    onSuccess: ({ added, changed }) => {
      toast.success(t('import.done', { added, changed }));
      onClose();
      void refreshDictionaries();
    },
    // Somebody changed the dictionary meanwhile: shows what would change now.
    onError: (_, { chosen }) => preview.mutate(chosen),
  });

  async function choose(chosen: File) {
    setFile(null);
    setUnfit(null);
    preview.reset();
    take.reset();
    if (endingOf(chosen.name) !== 'xlsx') return setUnfit(t('import.unsupported'));
    if (chosen.size > DICTIONARY_IMPORT_BYTES) {
      return setUnfit(t('import.tooLarge', { limit: formatSize(DICTIONARY_IMPORT_BYTES) }));
    }
    // Deleted or moved since it was chosen.
    const content = await base64Of(chosen).catch(() => null);
    if (content === null) return setUnfit(t('import.unreadable'));
    const read = { fileName: chosen.name, content };
    setFile(read);
    preview.mutate(read);
  }

  const answer = preview.data;
  const differs = answer !== undefined && answer.added + answer.changed > 0;
  return (
    <ImportDialog
      title={t('import.title', { dictionary: t(`tabs.${dictionary}`) })}
      text={t('import.text')}
      ok={t('import.ok')}
      choose={t('import.choose')}
      accept=".xlsx"
      fileName={file?.fileName ?? null}
      unfit={unfit}
      problem={take.error ?? preview.error}
      checking={preview.isPending}
      ready={differs && answer.faulty === 0 && !preview.isPending}
      importing={take.isPending}
      width={760}
      onChoose={(chosen) => void choose(chosen)}
      onImport={() => file && answer && take.mutate({ chosen: file, change: answer.change })}
      onClose={onClose}
    >
      {answer && <ImportPreview key={preview.submittedAt} dictionary={dictionary} answer={answer} />}
    </ImportDialog>
  );
}
