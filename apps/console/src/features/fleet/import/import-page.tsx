import { IMPORT_ROWS } from '@chargehand/contract/constants';
import { endingOf, FILE_RULES, formatSize } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Answer, call, download } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { seal } from '../../../shared/api/seal.ts';
import { LeaveGuard } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './import.module.css';
import { ImportColumnChoice, type ImportColumns } from './import-columns.tsx';
import { ImportFormats } from './import-formats.tsx';
import { ImportRows } from './import-rows.tsx';

const { limit } = FILE_RULES.json;

interface Chosen {
  fileName: string;
  /** encrypted, because a file may contain passwords */
  content: string;
  encrypted: true;
  /** where the headings of the sheet are others */
  columns?: ImportColumns;
}

/**
 * Registers the devices of a file. The expected result of every row is shown first. Nothing is imported while a row has
 * errors, unless the user chooses to skip such rows.
 */
export default function ImportPage() {
  const { t } = useTranslation('devices');
  const { t: routes } = useTranslation('routes');
  const [file, setFile] = useState<Chosen | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [skips, setSkips] = useState(false);
  const preview = useMutation({
    mutationFn: (chosen: Chosen) => call('importDevices', { body: { ...chosen, dryRun: true } }, { quiet: true }),
  });
  const take = useMutation({
    mutationFn: (chosen: Chosen) =>
      call('importDevices', { body: { ...chosen, dryRun: false, skipInvalid: skips } }, { quiet: true }),
    onSuccess: () => refresh('listDevices', 'countDevices', 'listWaitingDevices'),
    // Rows that were valid before no longer are: shows the errors of the rows.
    onError: () => file && preview.mutate(file),
  });

  async function choose(chosen: File | undefined) {
    if (!chosen) return console.info('No file selected');
    setFile(null);
    setUnfit(null);
    setSkips(false);
    preview.reset();
    take.reset();
    const ending = endingOf(chosen.name);
    if (ending !== 'json' && ending !== 'xlsx' && ending !== 'csv') return setUnfit(t('import.unsupported'));
    if (chosen.size > limit) return setUnfit(t('import.tooLarge', { limit: formatSize(limit) }));
    // Deleted or moved since it was chosen: said below.
    const bytes = await chosen.arrayBuffer().catch(() => null);
    if (bytes === null) return setUnfit(t('import.unreadable'));
    await seal(new Uint8Array(bytes)).then(
      (content) => {
        const read: Chosen = { fileName: chosen.name, content, encrypted: true };
        setFile(read);
        preview.mutate(read);
      },
      (problem: unknown) => setUnfit(problem instanceof ApiProblem ? problem.message : t('import.unreadable')),
    );
  }

  function startAgain() {
    take.reset();
    preview.reset();
    setFile(null);
  }

  if (take.data) return <Done answer={take.data} onAgain={startAgain} />;
  const problem = preview.error ?? take.error;
  const { total = 0, faulty = 0 } = preview.data ?? {};
  const headings = preview.data?.headings ?? null;
  const good = preview.data !== undefined && headings === null && faulty === 0;
  const valid = total - faulty;
  const ready = good || (skips && valid > 0);
  return (
    <Page
      title={routes('deviceImport')}
      note={t('import.note')}
      actions={<Button onClick={() => void download('exportImportTemplate', {})}>{t('import.template')}</Button>}
    >
      <LeaveGuard active={ready} pending={take.isPending} />
      <Chooser name={file?.fileName} onChoose={(chosen) => void choose(chosen)} />
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
      {preview.isPending && (
        <div role="status" aria-label={t('import.checking', { name: file?.fileName ?? '' })}>
          <SkeletonRows rows={6} />
        </div>
      )}
      {headings && file && (
        <ImportColumnChoice
          key={preview.submittedAt}
          headings={headings}
          onChosen={(columns) => {
            const mapped = { ...file, columns };
            setFile(mapped);
            preview.mutate(mapped);
          }}
        />
      )}
      {preview.data && !headings && file && (
        <>
          <div className={css.importVerdict} data-good={good}>
            <p role="status">{good ? t('import.good', { count: total }) : t('import.bad', { faulty, total })}</p>
            {!good && valid > 0 && (
              <Checkbox checked={skips} onChange={({ target }) => setSkips(target.checked)}>
                {t('import.skip', { count: faulty })}
              </Checkbox>
            )}
            <Button type="primary" disabled={!ready} loading={take.isPending} onClick={() => take.mutate(file)}>
              {t('import.register', { count: skips ? valid : total })}
            </Button>
          </div>
          {preview.data.leftOut.length > 0 && (
            <p role="note">{t('import.leftOut', { columns: preview.data.leftOut.join(', ') })}</p>
          )}
          <ImportRows key={preview.submittedAt} answer={preview.data} />
        </>
      )}
      {!preview.data && !preview.isPending && <ImportFormats />}
    </Page>
  );
}

/** A file is selected, or dropped on the field. */
function Chooser({ name, onChoose }: { name: string | undefined; onChoose(file: File | undefined): void }) {
  const { t } = useTranslation('devices');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <section
      className={css.importChooser}
      aria-label={t('import.choose')}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onChoose(event.dataTransfer.files[0]);
      }}
    >
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept=".json,.xlsx,.csv"
        tabIndex={-1}
        aria-label={t('import.choose')}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          // Allows the same file to be selected again after it was fixed.
          event.target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{t(name === undefined ? 'import.choose' : 'import.again')}</Button>
      {name === undefined ? (
        <span className="quiet">{t('import.drop', { limit: formatSize(limit), rows: IMPORT_ROWS })}</span>
      ) : (
        <span className="mono">{name}</span>
      )}
    </section>
  );
}

function Done({ answer, onAgain }: { answer: Answer<'importDevices'>; onAgain(): void }) {
  const { t } = useTranslation('devices');
  const { t: routes } = useTranslation('routes');
  const next = useRef<HTMLAnchorElement>(null);
  useEffect(() => next.current?.focus(), []);
  return (
    <Page title={routes('deviceImport')}>
      <Panel>
        <p className={css.importDone} role="status">
          {t('import.done', { count: answer.imported })}
          {answer.faulty > 0 && ` ${t('import.skipped', { count: answer.faulty })}`}
        </p>
        <div className={css.importNext}>
          <Link ref={next} to="/manage/device/list">
            {t('import.open')}
          </Link>
          <button type="button" className="text-button" onClick={onAgain}>
            {t('import.another')}
          </button>
        </div>
      </Panel>
      {answer.rows.length > 0 && <ImportRows answer={answer} />}
    </Page>
  );
}
