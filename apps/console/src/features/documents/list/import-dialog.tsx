import { formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { ImportDialog } from '../../../shared/ui/dialogs/import-dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CategorySelect } from '../categories/category-select.tsx';
import css from '../documents.module.css';

/** What fits into one request as base64. Bytes. */
const MOST = 20 * 1024 * 1024;

interface Chosen {
  name: string;
  content: string;
}

/**
 * Imports documents from a zip archive of Markdown files, as exported. The expected result is shown first. A file with
 * a problem is left out; the others are imported.
 */
export function DocumentImport({ categoryId, onClose }: { categoryId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('documents');
  const id = useId();
  const [category, setCategory] = useState(categoryId);
  const [file, setFile] = useState<Chosen | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const preview = useMutation({
    mutationFn: (body: { content: string; categoryId: number }) =>
      call('importDocuments', { body: { ...body, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: (body: { content: string; categoryId: number }) => call('importDocuments', { body }, { quiet: true }),
    onSuccess: async ({ created, changed }) => {
      toast.success(t('import.done', { created, changed }));
      onClose();
      await refresh('listDocuments', 'readDocumentHome', 'listCategories', 'listUnexplainedCodes');
    },
  });

  function check(chosen: Chosen | null, into: number | undefined) {
    take.reset();
    preview.reset();
    if (chosen && into !== undefined) preview.mutate({ content: chosen.content, categoryId: into });
  }

  async function choose(chosen: File) {
    setUnfit(null);
    setFile(null);
    check(null, undefined);
    if (!/\.zip$/i.test(chosen.name)) return setUnfit(t('import.notZip'));
    if (chosen.size > MOST) return setUnfit(t('import.tooLarge', { limit: formatSize(MOST) }));
    // Deleted or moved since it was chosen: said below.
    const content = await base64Of(chosen).catch(() => null);
    if (content === null) return setUnfit(t('import.unreadable'));
    const read = { name: chosen.name, content };
    setFile(read);
    check(read, category);
  }

  const result = preview.data;
  const ready = result !== undefined && result.created + result.changed > 0 && !preview.isPending;
  return (
    <ImportDialog
      title={t('import.title')}
      text={t('import.text')}
      ok={t('import.ok')}
      choose={t('import.choose')}
      accept=".zip,application/zip"
      fileName={file?.name ?? null}
      unfit={unfit}
      problem={take.error ?? preview.error}
      checking={preview.isPending}
      ready={ready}
      importing={take.isPending}
      fields={
        <>
          <label htmlFor={`${id}-category`}>{t('import.category')}</label>
          <CategorySelect
            id={`${id}-category`}
            value={category}
            placeholder={t('category.choose')}
            onChange={(next) => {
              setCategory(next);
              check(file, next);
            }}
          />
        </>
      }
      onChoose={(chosen) => void choose(chosen)}
      onImport={() => file && category !== undefined && take.mutate({ content: file.content, categoryId: category })}
      onClose={onClose}
    >
      {result && <Preview of={result} />}
    </ImportDialog>
  );
}

function Preview({ of: { created, changed, unchanged, problems } }: { of: Answer<'importDocuments'> }) {
  const { t } = useTranslation('documents');
  return (
    <>
      <p role="status">
        {t('import.created', { count: created })} · {t('import.changed', { count: changed })} ·{' '}
        {t('import.unchanged', { count: unchanged })}
      </p>
      {problems.length > 0 && (
        <>
          <p className="warning-note">{t('import.problems', { count: problems.length })}</p>
          <dl className={css.problems}>
            {problems.map(({ file, message }) => (
              <div key={file}>
                <dt className="mono">{file}</dt>
                <dd>{message}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}

/** The content of a file as base64, without blocking the page. */
async function base64Of(file: File): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
