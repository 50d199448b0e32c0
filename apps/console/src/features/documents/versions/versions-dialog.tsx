import type { EditedText, GivenFiles, Locale } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Pager } from '../../../shared/ui/table/pager.tsx';
import { contentOfLines } from './diff.ts';
import { DiffView } from './diff-view.tsx';
import css from './versions.module.css';

const PAGE = 10;

interface Props {
  documentId: number;
  locale: Locale;
  /** Saves the author's changes as a draft before a version is restored. */
  onRestored(text: EditedText, files: GivenFiles): void;
  onClose(): void;
}

/** The published versions of a language: author, time, what each changed, and restoring. */
export function VersionsDialog({ documentId, locale, onRestored, onClose }: Props) {
  const { t } = useTranslation('editor');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number | null>(null);
  const [restoring, setRestoring] = useState(false);
  const list = useQuery({
    ...queryOf(
      'listVersions',
      { params: { id: documentId, locale }, query: { page, pageSize: PAGE } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const newest = list.data?.items[0] && page === 1 ? list.data.items[0].version : null;
  const shown = chosen ?? list.data?.items[0]?.version;
  return (
    <Dialog title={t('versions.title')} footer={null} onCancel={onClose} width={1_000}>
      {!list.data ? (
        list.error ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )
      ) : list.data.items.length === 0 ? (
        <p className="quiet">{t('versions.none')}</p>
      ) : (
        <div className={css.versions}>
          <div>
            <ul className={css.list}>
              {list.data.items.map(({ version, author, createdAt, restored }) => (
                <li key={version}>
                  <button type="button" aria-pressed={version === shown} onClick={() => setChosen(version)}>
                    <strong>{t('versions.version', { version })}</strong>
                    <span>{author}</span>
                    <span className="quiet">{formatTime(createdAt).slice(0, 16)}</span>
                    {restored !== null && (
                      <span className="quiet">{t('versions.restored', { version: restored })}</span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
            <Pager page={page} pageSize={PAGE} total={list.data.total} onPage={setPage} />
          </div>
          {shown !== undefined && (
            <Changes
              key={shown}
              {...{ documentId, locale, version: shown }}
              action={
                shown !== newest && (
                  <Button onClick={() => setRestoring(true)}>{t('versions.restore', { version: shown })}</Button>
                )
              }
            />
          )}
        </div>
      )}
      {restoring && shown !== undefined && (
        <Confirm
          title={t('versions.restoreTitle', { version: shown })}
          ok={t('versions.restoreOk')}
          run={async () => {
            const params = { id: documentId, locale };
            const { files } = await call(
              'restoreVersion',
              { params: { ...params, version: shown }, body: {} },
              { quiet: true },
            );
            onRestored(await call('readText', { params }, { quiet: true }), files);
          }}
          onDone={onClose}
          onClose={() => setRestoring(false)}
        >
          <p>{t('versions.restoreText')}</p>
        </Confirm>
      )}
    </Dialog>
  );
}

/** What a version changed compared with the one before it. */
function Changes(props: { documentId: number; locale: Locale; version: number; action: React.ReactNode }) {
  const { documentId: id, locale, version } = props;
  const { t } = useTranslation('editor');
  const read = (one: number) => ({
    ...queryOf('readVersion', { params: { id, locale, version: one } }, { quiet: true }),
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const current = useQuery(read(version));
  const before = useQuery({ ...read(Math.max(1, version - 1)), enabled: version > 1 });
  const failed = [current, before].find(({ error }) => error);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!current.data || (version > 1 && !before.data)) return <SkeletonRows rows={6} />;
  return (
    <section className={css.changes} aria-label={t('versions.changes', { version })}>
      <header>
        <h3>{current.data.title}</h3>
        {props.action}
      </header>
      {before.data && before.data.title !== current.data.title && (
        <p>
          <del>{before.data.title}</del>
        </p>
      )}
      <Summary before={version > 1 ? before.data!.description : ''} after={current.data.description} locale={locale} />
      <DiffView
        before={version > 1 ? before.data!.body : { type: 'doc', content: [] }}
        after={current.data.body}
        lang={locale}
      />
    </section>
  );
}

/** The short answer of a version, with its changes. */
function Summary({ before, after, locale }: { before: string; after: string; locale: Locale }) {
  const { t } = useTranslation('editor');
  const [old, current] = useMemo(() => [contentOfLines(before), contentOfLines(after)], [before, after]);
  if (before === '' && after === '') return null;
  return (
    <section className={css.summary} aria-label={t('description')} lang={locale}>
      {before === after ? <p className="quiet">{after}</p> : <DiffView before={old} after={current} lang={locale} />}
    </section>
  );
}
