import type { DictionaryRow } from '@chargehand/contract';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Dash, TimeAgo } from '../../shared/ui/values/time-ago.tsx';

/** What is open for an entry. */
export type OpenEntry<Row extends DictionaryRow> = { what: 'edit' | 'remove' | 'historyOf'; row: Row };

/** The actions of an entry. */
export function EntryButtons<Row extends DictionaryRow>(props: { row: Row; onOpen(open: OpenEntry<Row>): void }) {
  const { t } = useTranslation('dictionary');
  const { row, onOpen } = props;
  return (
    <span className="field-row">
      <Button size="small" aria-label={t('editOf', { code: row.code })} onClick={() => onOpen({ what: 'edit', row })}>
        {t('edit')}
      </Button>
      {row.change > 0 && (
        <Button
          size="small"
          aria-label={t('historyOf', { code: row.code })}
          onClick={() => onOpen({ what: 'historyOf', row })}
        >
          {t('history')}
        </Button>
      )}
      {row.changed && (
        <Button
          size="small"
          danger={row.byDefault === null}
          aria-label={t(row.byDefault ? 'resetOf' : 'removeOf', { code: row.code })}
          onClick={() => onOpen({ what: 'remove', row })}
        >
          {t(row.byDefault ? 'reset' : 'remove')}
        </Button>
      )}
    </span>
  );
}

/** An entry on a narrow screen, with further lines. */
export function EntryCard<Row extends DictionaryRow>(props: {
  row: Row;
  onOpen(open: OpenEntry<Row>): void;
  children?: ReactNode;
}) {
  const { row, onOpen, children } = props;
  return (
    <div className="stack-tight">
      <strong>{row.nameEn === row.nameZh ? row.nameEn : `${row.nameEn} · ${row.nameZh}`}</strong>
      <span className="field-row">
        <code className="breaks">{row.code}</code> <States row={row} />
      </span>
      {children}
      {row.changedAt !== null && (
        <span className="quiet">
          <LastChange row={row} />
        </span>
      )}
      <EntryButtons row={row} onOpen={onOpen} />
    </div>
  );
}

/** Who changed an entry last, and when. */
export function LastChange({ row: { changedAt, changedBy } }: { row: DictionaryRow }) {
  if (changedAt === null) return <Dash />;
  return (
    <span>
      {changedBy} · <TimeAgo at={changedAt} />
    </span>
  );
}

/** Whether an entry is shipped, changed or added, and whether it is turned off. */
export function States({ row }: { row: DictionaryRow }) {
  const { t } = useTranslation('dictionary');
  return (
    <span className="field-row">
      {!row.enabled && (
        <Tag tone="disabled" glyph="cross">
          {t('states.off')}
        </Tag>
      )}
      <Tag tone={row.changed ? 'working' : 'plain'} glyph={row.changed ? 'check' : 'ring'}>
        {t(row.byDefault === null ? 'states.added' : row.changed ? 'states.changed' : 'states.shipped')}
      </Tag>
    </span>
  );
}
