import type { AlarmCodeRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../../shared/api/query.ts';
import { Confirm } from '../../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { useNames } from '../../names.ts';
import { CodeDialog } from '../dialogs/code-dialog.tsx';
import '../../../../shared/ui/list-page/filter-bar.css';
import css from '../../models.module.css';

/** The alarm codes of a model, and the shared ones that it does not override. */
export function CodesPart({ modelId, edits }: { modelId: number; edits: boolean }) {
  const { t } = useTranslation('rules');
  const { nameOf } = useNames();
  const codes = useQuery(queryOf('listAlarmCodes', { params: { id: modelId } }, { quiet: true }));
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<AlarmCodeRow | 'new' | null>(null);
  const [gone, setGone] = useState<AlarmCodeRow | null>(null);
  if (codes.isError && !codes.data) return <ErrorState error={codes.error} onRetry={() => void codes.refetch()} />;
  if (!codes.data) return <SkeletonRows rows={8} />;

  const wanted = search.trim().toLowerCase();
  const shown = codes.data.items.filter(
    ({ code, nameEn, nameZh }) => wanted === '' || `${code} ${nameEn} ${nameZh}`.toLowerCase().includes(wanted),
  );
  const button = (word: 'edit' | 'override' | 'delete', row: AlarmCodeRow, run: () => void) => (
    <Button size="small" aria-label={t('codes.of', { word: t(`codes.${word}`), code: row.code })} onClick={run}>
      {t(`codes.${word}`)}
    </Button>
  );
  const list = (title: string, rows: readonly AlarmCodeRow[], empty: string) => (
    <section className="stack" aria-label={title}>
      <h3 className={css.codeTitle}>{title}</h3>
      {rows.length === 0 ? (
        <p className="quiet">{wanted === '' ? empty : t('codes.noMatch')}</p>
      ) : (
        <ul className="control-list rule-list">
          {rows.map((row) => (
            <li key={row.id}>
              {row.level === null ? <span /> : <AlarmLevel level={row.level} />}
              <div className={css.controlText}>
                <span className={css.controlName}>{nameOf({ en: row.nameEn, zh: row.nameZh })}</span>
                <code>{row.code}</code>
                {row.kind !== null && (
                  <span className="quiet">{t('codes.kindIs', { kind: t(`kinds.${row.kind}`) })}</span>
                )}
              </div>
              {edits && (
                <span className="field-row">
                  {button(row.shared ? 'override' : 'edit', row, () => setOpen(row))}
                  {!row.shared && button('delete', row, () => setGone(row))}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );

  return (
    <div className="stack">
      <p className="quiet">{t('codes.hint')}</p>
      <div className="filters">
        <Input.Search
          className="filters-search"
          allowClear
          value={search}
          placeholder={t('codes.search')}
          aria-label={t('codes.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        {edits && <Button onClick={() => setOpen('new')}>{t('codes.add')}</Button>}
      </div>
      {codes.data.items.length === 0 ? (
        <EmptyState text={t('codes.ownEmpty')} />
      ) : (
        <>
          {list(
            t('codes.own'),
            shown.filter(({ shared }) => !shared),
            t('codes.ownEmpty'),
          )}
          {list(
            t('codes.shared'),
            shown.filter(({ shared }) => shared),
            t('codes.noMatch'),
          )}
        </>
      )}
      {open && <CodeDialog modelId={modelId} row={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {gone && (
        <Confirm
          title={t('codes.deleteTitle', { code: gone.code })}
          ok={t('codes.delete')}
          danger
          run={() => call('deleteAlarmCode', { params: { id: gone.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('codes.deleted', { code: gone.code }));
            setGone(null);
            void refresh('listAlarmCodes');
          }}
          onClose={() => setGone(null)}
        >
          <p>{t('codes.deleteText')}</p>
        </Confirm>
      )}
    </div>
  );
}
