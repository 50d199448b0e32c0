import { FILE_RULES, formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { UploadProblem, upload } from '../../../shared/storage/upload.ts';
import { ImportDialog } from '../../../shared/ui/dialogs/import-dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CategorySelect } from '../categories/category-select.tsx';
import css from '../documents.module.css';

/** Archives up to this size are sent with the request; larger ones are uploaded before it. Bytes. */
const INLINE = 20 * 1024 * 1024;
const MOST = FILE_RULES.attachment.limit;

/** The archive of a request: its content, or the key of its upload. */
type Archive = { content: string } | { key: string };
type Request = Archive & { categoryId: number };

/**
 * Imports documents from a zip archive of Markdown files with their pictures, as exported. The expected result is shown
 * first. A file with a problem is left out; the others are imported.
 */
export function DocumentImport({ categoryId, onClose }: { categoryId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('documents');
  const id = useId();
  const [category, setCategory] = useState(categoryId);
  const [file, setFile] = useState<{ name: string; archive: Archive } | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [uploaded, setUploaded] = useState<number | null>(null);
  // What was chosen last counts, and nothing is uploaded for a closed dialog.
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const preview = useMutation({
    mutationFn: (body: Request) => call('importDocuments', { body: { ...body, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: (body: Request) => call('importDocuments', { body }, { quiet: true }),
    onSuccess: async ({ created, changed }) => {
      toast.success(t('import.done', { created, changed }));
      onClose();
      await refresh('listDocuments', 'readDocumentHome', 'listCategories', 'listUnexplainedCodes');
    },
  });

  function check(chosen: Archive | null, into: number | undefined) {
    take.reset();
    preview.reset();
    if (chosen && into !== undefined) preview.mutate({ ...chosen, categoryId: into });
  }

  async function choose(chosen: File) {
    reading.current.abort();
    const now = new AbortController();
    const { signal } = now;
    reading.current = now;
    setUnfit(null);
    setFile(null);
    setUploaded(null);
    check(null, undefined);
    if (!/\.zip$/i.test(chosen.name)) return setUnfit(t('import.notZip'));
    if (chosen.size > MOST) return setUnfit(t('import.tooLarge', { limit: formatSize(MOST) }));
    try {
      const archive = await archiveOf(chosen, signal, setUploaded);
      if (signal.aborted) return;
      setFile({ name: chosen.name, archive });
      check(archive, category);
    } catch (error) {
      if (signal.aborted) return;
      console.warn('An archive could not be read', error);
      setUnfit(t(error instanceof UploadProblem ? 'import.uploadFailed' : 'import.unreadable'));
    } finally {
      if (!signal.aborted) setUploaded(null);
    }
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
              check(file?.archive ?? null, next);
            }}
          />
        </>
      }
      onChoose={(chosen) => void choose(chosen)}
      onImport={() => file && category !== undefined && take.mutate({ ...file.archive, categoryId: category })}
      onClose={onClose}
    >
      {uploaded !== null && (
        <p role="status">
          {t('import.uploading', { percent: Math.floor(uploaded * 100) })}{' '}
          <progress
            value={uploaded}
            max={1}
            aria-label={t('import.uploading', { percent: Math.floor(uploaded * 100) })}
          />
        </p>
      )}
      {result && <Preview of={result} />}
    </ImportDialog>
  );
}

function Preview({ of: { created, changed, unchanged, problems, files, leftOut } }: { of: Answer<'importDocuments'> }) {
  const { t } = useTranslation('documents');
  return (
    <>
      <p role="status">
        {t('import.created', { count: created })} · {t('import.changed', { count: changed })} ·{' '}
        {t('import.unchanged', { count: unchanged })}
        {files > 0 && ` · ${t('import.files', { count: files })}`}
      </p>
      {problems.length > 0 && (
        <Problems
          title={t('import.problems', { count: problems.length })}
          of={problems.map(({ file, message }) => [file, message])}
        />
      )}
      {leftOut.length > 0 && (
        <Problems
          title={t('import.leftOut', { count: leftOut.length })}
          of={leftOut.map(({ file, line, message }) => [t('import.line', { file, line }), message])}
        />
      )}
    </>
  );
}

/** Places in the archive, and what is wrong there. */
function Problems({ title, of }: { title: string; of: readonly (readonly [place: string, message: string])[] }) {
  return (
    <>
      <p className="warning-note">{title}</p>
      <dl className={css.problems}>
        {of.map(([place, message]) => (
          <div key={`${place} ${message}`}>
            <dt className="mono">{place}</dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

async function archiveOf(file: File, signal: AbortSignal, onProgress: (part: number) => void): Promise<Archive> {
  if (file.size <= INLINE) return { content: await base64Of(file) };
  onProgress(0);
  return { key: await upload(file, { folder: 'document', purpose: 'attachment', signal, onProgress }) };
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
