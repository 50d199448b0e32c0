import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Difference, differences, shown } from './difference.ts';

/** A record before and after a change, side by side; what stayed the same can be shown too. */
export function DifferenceTable({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useTranslation('audit');
  const [whole, setWhole] = useState(false);
  const all = differences(before, after);
  const same = all.filter(({ kind }) => kind === 'same').length;
  const rows = whole ? all : all.filter(({ kind }) => kind !== 'same');
  if (all.length === 0) return <p className="quiet">{t('difference.none')}</p>;
  return (
    <div>
      <table className="difference">
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

function Row({ row }: { row: Difference }) {
  return (
    <tr data-kind={row.kind}>
      <th scope="row">{row.path}</th>
      <td>{row.kind === 'added' ? '' : <del>{shown(row.before)}</del>}</td>
      <td>{row.kind === 'removed' ? '' : <ins>{shown(row.after)}</ins>}</td>
    </tr>
  );
}
