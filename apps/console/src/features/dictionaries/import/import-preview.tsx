import type { DictionaryImportRow } from '@chargehand/contract';
import type { Dictionary } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../shared/api/client.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { PagedTable } from '../../../shared/ui/table/paged-table.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import css from '../dictionaries.module.css';
import { ValueChanges } from '../value-changes.tsx';

const LOOKS = {
  add: { tone: 'working', glyph: 'check' },
  change: { tone: 'plain', glyph: 'ring' },
  fault: { tone: 'faulted', glyph: 'cross' },
} as const;

interface Props {
  dictionary: Dictionary;
  answer: Answer<'importDictionary'>;
}

/** What an import would change, and the rows with problems. Rows without changes are only counted. */
export function ImportPreview({ dictionary, answer }: Props) {
  const { t } = useTranslation('dictionary');
  const narrow = useMedia('(max-width: 760px)');
  const { added, changed, unchanged, faulty } = answer;
  const [onlyFaulty, setOnlyFaulty] = useState(faulty > 0);
  const rows = onlyFaulty ? answer.rows.filter(({ result }) => result === 'fault') : answer.rows;
  const state = ({ result }: DictionaryImportRow) => (
    <Tag tone={LOOKS[result].tone} glyph={LOOKS[result].glyph}>
      {t(`import.results.${result}`)}
    </Tag>
  );
  const code = (row: DictionaryImportRow) => <code className="breaks">{row.code}</code>;
  const effect = (row: DictionaryImportRow) => <RowEffect dictionary={dictionary} row={row} />;
  const columns = [
    { title: t('import.row'), key: 'row', width: 70, render: (_: unknown, row: DictionaryImportRow) => row.row },
    { title: t('code'), key: 'code', width: 150, render: (_: unknown, row: DictionaryImportRow) => code(row) },
    {
      title: t('import.effect'),
      key: 'state',
      width: 120,
      render: (_: unknown, row: DictionaryImportRow) => state(row),
    },
    { title: t('import.entry'), key: 'effect', render: (_: unknown, row: DictionaryImportRow) => effect(row) },
  ];
  const compact = (row: DictionaryImportRow) => (
    <div className="stack-tight">
      <span className="field-row">
        <span className="quiet">{`${row.row}.`}</span> {code(row)} {state(row)}
      </span>
      {effect(row)}
    </div>
  );
  return (
    <>
      <p role="status">{t('import.counts', { added, changed, unchanged, faulty })}</p>
      {faulty > 0 && <p className="error-note">{t('import.faulty', { count: faulty })}</p>}
      {answer.rows.length === 0 && <p className="quiet">{t('import.nothing')}</p>}
      {faulty > 0 && faulty < answer.rows.length && (
        <FilterCheck checked={onlyFaulty} onChange={setOnlyFaulty}>
          {t('import.onlyFaulty')}
        </FilterCheck>
      )}
      {answer.rows.length > 0 && (
        <div className="data-table">
          <PagedTable<DictionaryImportRow>
            label={t('import.rows')}
            rowKey="row"
            showHeader={!narrow}
            columns={narrow ? [{ key: 'card', render: (_, row) => compact(row) }] : columns}
            rows={rows}
            firstSize={20}
            choosesSize={false}
          />
        </div>
      )}
    </>
  );
}

function RowEffect({ dictionary, row }: { dictionary: Dictionary; row: DictionaryImportRow }) {
  if (row.problems.length === 0) {
    if (row.before !== null) return <ValueChanges dictionary={dictionary} before={row.before} after={row.after} />;
    return <span>{`${row.after?.nameEn} · ${row.after?.nameZh}`}</span>;
  }
  return (
    <ul className={`${css.values} ${css.problems}`}>
      {row.problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
