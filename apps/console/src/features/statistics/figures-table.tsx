import { useTranslation } from 'react-i18next';
import css from './statistics.module.css';

interface Props {
  caption: string;
  headings: readonly string[];
  rows: readonly { key: string; title: string; cells: readonly string[] }[];
}

/** The figures of a chart as a table, for exact values and for screen readers. */
export function FiguresTable({ caption, headings, rows }: Props) {
  const { t } = useTranslation('statistics');
  return (
    <details className="figures">
      <summary>{t('table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard */}
      <section className={css.figuresScroll} tabIndex={0} aria-label={caption}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t('time')}</th>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, title, cells }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by their column
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
