import type { Locale } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { FILE_RULES, formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { chosenFiles, droppedFiles, MOST_FILES, type PlacedFile } from '../../../shared/lib/files/dropped.ts';
import { UploadProblem } from '../../../shared/storage/upload.ts';
import { ImportDialog } from '../../../shared/ui/dialogs/import-dialog.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { CategorySelect } from '../categories/category-select.tsx';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { archiveOfFolder, NoMarkdown } from './folder-archive.ts';
import { ImportResult } from './import-result.tsx';
import { type Archive, archiveOf } from './import-source.ts';

const MOST = FILE_RULES.attachment.limit;

type Request = Archive & { categoryId: number; customerId: number | null; locale?: Locale };

/**
 * Imports documents from a zip archive or a folder of Markdown files with their pictures, as exported. The expected
 * result is shown first, the actual one for each file afterwards. A file with a problem is left out; the others are
 * imported.
 */
export function DocumentImport({ categoryId, onClose }: { categoryId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('documents');
  const id = useId();
  const { owner: own, choosesOwner } = useDocumentRights();
  const [category, setCategory] = useState(categoryId);
  const [owner, setOwner] = useState(own);
  /** of files that name none */
  const [locale, setLocale] = useState<Locale | undefined>();
  const [source, setSource] = useState<{ name: string; archive: Archive } | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [progress, setProgress] = useState<{ step: 'packing' | 'uploading'; part: number } | null>(null);
  // What was chosen last counts, and nothing is uploaded for a closed dialog.
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const preview = useMutation({
    mutationFn: (body: Request) => call('importDocuments', { body: { ...body, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: (body: Request) => call('importDocuments', { body }, { quiet: true }),
    onSuccess: () => refresh('listDocuments', 'readDocumentHome', 'listCategories', 'listUnexplainedCodes'),
  });

  function check(chosen: Archive | null, into: number | undefined, of = owner, language = locale) {
    take.reset();
    preview.reset();
    if (chosen && into !== undefined)
      preview.mutate({ ...chosen, categoryId: into, customerId: of, ...(language && { locale: language }) });
  }

  /** Reads what was chosen or dropped: an archive, or Markdown files and folders. */
  async function choose(given: Promise<readonly PlacedFile[]>) {
    reading.current.abort();
    const now = new AbortController();
    const { signal } = now;
    reading.current = now;
    const at = (step: 'packing' | 'uploading') => ({
      signal,
      onProgress: (part: number) => !signal.aborted && setProgress({ step, part }),
    });
    setUnfit(null);
    setSource(null);
    setProgress(null);
    check(null, undefined);
    try {
      const chosen = await given;
      const [first] = chosen;
      if (!first || signal.aborted) return;
      if (chosen.length > MOST_FILES) return setUnfit(t('import.tooMany', { count: MOST_FILES }));
      const isArchive = chosen.length === 1 && /\.zip$/i.test(first.file.name);
      const file = isArchive ? first.file : await archiveOfFolder(chosen, at('packing'));
      if (signal.aborted) return;
      if (file.size > MOST) return setUnfit(t('import.tooLarge', { limit: formatSize(MOST) }));
      const archive = await archiveOf(file, at('uploading'));
      if (signal.aborted) return;
      const name = first.path[0] ?? first.file.name;
      setSource({ name: isArchive ? name : t('import.folder', { name, count: chosen.length }), archive });
      check(archive, category);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NoMarkdown) return setUnfit(t('import.notZip'));
      console.warn('An archive could not be read', error);
      setUnfit(t(error instanceof UploadProblem ? 'import.uploadFailed' : 'import.unreadable'));
    } finally {
      if (!signal.aborted) setProgress(null);
    }
  }

  const result = preview.data;
  const ready = result !== undefined && result.created + result.changed > 0 && !preview.isPending;
  const running = progress && t(`import.${progress.step}`, { percent: Math.floor(progress.part * 100) });
  return (
    <ImportDialog
      title={t('import.title')}
      text={t('import.text')}
      ok={t('import.ok')}
      choose={t('import.choose')}
      accept=".zip,.md,application/zip,text/markdown"
      fileName={source?.name ?? null}
      unfit={unfit}
      problem={take.error ?? preview.error}
      checking={preview.isPending}
      ready={ready}
      importing={take.isPending}
      done={take.isSuccess}
      fields={
        <>
          <label htmlFor={`${id}-category`}>{t('import.category')}</label>
          <CategorySelect
            id={`${id}-category`}
            value={category}
            placeholder={t('category.choose')}
            onChange={(next) => {
              setCategory(next);
              check(source?.archive ?? null, next);
            }}
          />
          {choosesOwner && (
            <>
              <label htmlFor={`${id}-owner`}>{t('owner.import')}</label>
              <CustomerPicker
                id={`${id}-owner`}
                value={owner ?? undefined}
                placeholder={t('owner.platform')}
                onChange={(next) => {
                  setOwner(next ?? null);
                  check(source?.archive ?? null, category, next ?? null);
                }}
              />
            </>
          )}
          {(locale || (result && result.withoutLocale > 0)) && (
            <>
              <label htmlFor={`${id}-locale`}>{t('import.locale')}</label>
              <Select
                id={`${id}-locale`}
                value={locale}
                placeholder={t('import.chooseLocale')}
                options={LOCALES.map((value) => ({ value, label: t(`language.${value}`) }))}
                onChange={(next) => {
                  setLocale(next);
                  check(source?.archive ?? null, category, owner, next);
                }}
              />
            </>
          )}
        </>
      }
      folder={{
        choose: t('import.chooseFolder'),
        drop: t('import.drop'),
        onChoose: (list) => void choose(Promise.resolve(chosenFiles(list))),
        onDrop: (transfer) => void choose(droppedFiles(transfer)),
      }}
      onChoose={(chosen) => void choose(Promise.resolve([{ file: chosen, path: [] }]))}
      onImport={() =>
        source &&
        category !== undefined &&
        take.mutate({
          ...{ ...source.archive, categoryId: category, customerId: owner },
          ...(locale && { locale }),
        })
      }
      onClose={onClose}
    >
      {running && progress && (
        <p role="status">
          {running} <progress value={progress.part} max={1} aria-label={running} />
        </p>
      )}
      {source && category === undefined && <p role="status">{t('import.needsCategory')}</p>}
      {take.isPending && <p role="status">{t('import.running')}</p>}
      {take.data ? (
        <>
          <p role="status">
            <strong>{t('import.done', { created: take.data.created, changed: take.data.changed })}</strong>
          </p>
          <ImportResult of={take.data} />
        </>
      ) : (
        result && <ImportResult of={result} />
      )}
    </ImportDialog>
  );
}
