import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from '../preview.module.css';
import type { ShownWorkbook } from './sheets.ts';

/** The sheets of a workbook, one at a time, as far as they are shown. */
export function SheetTables({ book }: { book: ShownWorkbook }) {
  const { t } = useTranslation('attachments');
  const [chosen, setChosen] = useState(0);
  const sheet = book.sheets[chosen];
  if (!sheet) return null;
  const { columns, rows, total } = sheet;
  const limits = [
    total.rows > rows.length && t('preview.office.firstRows', { count: rows.length, total: total.rows }),
    total.columns > columns.length && t('preview.office.firstColumns', { count: columns.length, total: total.columns }),
    book.total > book.sheets.length &&
      t('preview.office.firstSheets', { count: book.sheets.length, total: book.total }),
  ].filter((text) => text !== false);
  return (
    <div className="stack">
      {book.sheets.length > 1 && (
        <div className={css.sheets}>
          <Segmented
            aria-label={t('preview.office.sheets')}
            value={chosen}
            options={book.sheets.map(({ name }, value) => ({ value, label: name }))}
            onChange={setChosen}
          />
        </div>
      )}
      {limits.length > 0 && <p className="quiet">{limits.join(' · ')}</p>}
      {rows.length === 0 ? (
        <p className="quiet">{t('preview.office.emptySheet')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable with the keyboard
        <section className={css.sheet} tabIndex={0} aria-label={sheet.name}>
          <table>
            <thead>
              <tr>
                <td />
                {columns.map((letters) => (
                  <th key={letters} scope="col">
                    {letters}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ row, cells }) => (
                <tr key={row}>
                  <th scope="row">{row}</th>
                  {cells.map(({ text, number }, column) => (
                    <td key={columns[column]} data-number={number || undefined}>
                      {text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
