import { differences, type FieldDifference, shownValue } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { useFieldWord, useValueWord } from './use-field-word.ts';

/** A record before and after a change, side by side. Unchanged fields can be shown, too. */
export function DifferenceTable({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation('audit');
  const [whole, setWhole] = useState(false);
  const all = differences(before, after);
  const same = all.filter(({ kind }) => kind === 'same').length;
  const rows = whole ? all : all.filter(({ kind }) => kind !== 'same');
  if (all.length === 0) return <p className="quiet">{t('difference.none')}</p>;
  return (
    <div>
      <table className="fact-table difference">
        <thead>
          <tr>
            <th scope="col">{t('difference.field')}</th>
            <th scope="col">{t('difference.before')}</th>
            <th scope="col">{t('difference.after')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.path} row={row} />
          ))}
        </tbody>
      </table>
      {same > 0 && (
        <button type="button" className="text-button" onClick={() => setWhole(!whole)}>
          {whole ? t('difference.hideSame') : t('difference.showSame', { count: same })}
        </button>
      )}
    </div>
  );
}

function Row({ row }: { row: FieldDifference }) {
  const connectorName = useConnectorName(null);
  const fieldWord = useFieldWord();
  const valueWord = useValueWord();
  const word = (value: unknown) =>
    row.path === 'connector' && typeof value === 'number'
      ? connectorName(value)
      : (valueWord(row.path, value) ?? shownValue(value));
  return (
    <tr data-kind={row.kind}>
      <th scope="row" title={row.path}>
        {fieldWord(row.path)}
      </th>
      <td>{row.kind === 'added' ? '' : <del>{word(row.before)}</del>}</td>
      <td>{row.kind === 'removed' ? '' : <ins>{word(row.after)}</ins>}</td>
    </tr>
  );
}
