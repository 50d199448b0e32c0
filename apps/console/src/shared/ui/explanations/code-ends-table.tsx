import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../api/query.ts';
import { useEndNames } from '../../i18n/use-end-names.ts';
import { ErrorNote } from '../states/error-note.tsx';
import css from './ranking.module.css';

/** Causes and remedies that are shown, and codes that are asked for at once. */
const SHOWN = 8;
const MOST_CODES = 50;

/** What closed issues of codes in the reader's scope had as cause and remedy, most frequent first. */
export default function CodeEndsTable({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('explanations');
  const { causes, remedies } = useEndNames();
  const wanted = [...new Set(codes)].slice(0, MOST_CODES);
  const ends = useQuery(queryOf('readIssueEnds', { query: { codes: wanted.join(',') } }, { quiet: true }));
  if (ends.isError && !ends.data) return <ErrorNote text={t('ends.failed')} />;
  if (!ends.data || ends.data.closed === 0) return null;
  const { closed, items } = ends.data;
  return (
    <section aria-label={t('ends.title')}>
      <table className={`fact-table ${css.ranking}`}>
        <thead>
          <tr>
            <th scope="col">{t('ends.title')}</th>
            <th scope="col">{t('ends.issues')}</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, SHOWN).map(({ cause, remedy, count, texts }) => (
            <tr key={`${cause} ${remedy}`}>
              <th scope="row">
                {causes.nameOf(cause)} → {remedies.nameOf(remedy)}
                {texts.length > 0 && (
                  <span className="quiet">
                    {' · '}
                    {texts
                      .map((text) => [text.cause, text.remedy].filter((one) => one !== '').join(' → '))
                      .join(t('ends.separator'))}
                  </span>
                )}
              </th>
              <td>{count.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="field-row">
        <span className="quiet">{t('ends.closed', { count: closed })}</span>
        {wanted.map((code) => (
          <Link key={code} to={`/manage/issue/list?${new URLSearchParams({ tab: 'closed', search: code })}`}>
            {t('ends.issuesOf', { code })}
          </Link>
        ))}
      </p>
    </section>
  );
}
