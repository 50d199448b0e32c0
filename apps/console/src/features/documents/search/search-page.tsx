import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../documents.module.css';
import { addPath, exactPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { Hits } from './hits.tsx';
import { SearchInput } from './search-input.tsx';

const FIRST = 20;
/** The limit of the contract. */
const MOST = 50;

/** Searches the documents while the user is typing; the text is in the URL (`?q=`). */
export default function SearchPage() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const text = search.get('q')?.trim() ?? '';
  const exact = search.has('exact');
  const searchFor = (q: string) => setSearch(q === '' ? {} : { q }, { replace: true });
  return (
    <Page title={routes('docsSearch')}>
      <SearchInput value={text} label={t('search.label')} onSearch={searchFor} />
      {text === '' ? (
        <p className="quiet">{t('search.hint')}</p>
      ) : (
        <Results text={text} exact={exact} onSearch={searchFor} />
      )}
    </Page>
  );
}

function Results({ text, exact, onSearch }: { text: string; exact: boolean; onSearch(text: string): void }) {
  const { t } = useTranslation('documents');
  const [limit, setLimit] = useState(FIRST);
  const found = useQuery({
    ...queryOf('searchDocuments', { query: { search: text, limit, ...(exact && { exact }) } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <SkeletonRows rows={6} />;
  const { items, partial, corrected, suggestion } = found.data;
  // The results of the previous text are not those of this one.
  const old = found.isPlaceholderData;
  const more = items.length >= limit;
  return (
    <section aria-label={t('search.results')} aria-busy={old} className={css.results} data-old={old || undefined}>
      <p className="quiet" role="status">
        {old
          ? t('search.searching')
          : more
            ? t('search.first', { count: items.length })
            : t('search.count', { count: items.length, text: corrected ?? text })}
      </p>
      {corrected !== null && !old && <Corrected text={text} corrected={corrected} />}
      {partial && !old && (
        <>
          <p>{t('search.partial')}</p>
          <Suggestion suggestion={suggestion} onSearch={onSearch} />
        </>
      )}
      {items.length === 0 && !old ? (
        <NothingFound text={text} suggestion={suggestion} onSearch={onSearch} />
      ) : (
        <Hits hits={items} />
      )}
      {more &&
        (limit < MOST ? (
          <Button loading={found.isFetching} onClick={() => setLimit(MOST)}>
            {t('search.more')}
          </Button>
        ) : (
          <p className="quiet">{t('search.narrow')}</p>
        ))}
    </section>
  );
}

/** Says that the results are those of a text without typing errors, and leads to the text as it was entered. */
function Corrected(texts: { text: string; corrected: string }) {
  const { t } = useTranslation('documents');
  return (
    <p>
      <span>{t('search.corrected', texts)}</span> <Link to={exactPath(texts.text)}>{t('search.exactly')}</Link>
    </p>
  );
}

/** A title or heading that is similar to the text. */
function Suggestion({ suggestion, onSearch }: { suggestion: string | null; onSearch(text: string): void }) {
  const { t } = useTranslation('documents');
  if (suggestion === null) return null;
  return (
    <p>
      {t('search.suggestion')}{' '}
      <button type="button" className="text-button" onClick={() => onSearch(suggestion)}>
        {suggestion}
      </button>
    </p>
  );
}

/** What to do when a search finds nothing. */
function NothingFound(props: { text: string; suggestion: string | null; onSearch(text: string): void }) {
  const { t } = useTranslation('documents');
  const { add } = useDocumentRights();
  return (
    <div className={css.nothing}>
      <Suggestion suggestion={props.suggestion} onSearch={props.onSearch} />
      <ul>
        <li>{t('search.tipWords')}</li>
        <li>{t('search.tipCode')}</li>
        <li>
          <Link to="/manage/docs/home">{t('search.tipBrowse')}</Link>
        </li>
        {add && (
          <li>
            <Link to={addPath()}>{t('search.tipAdd')}</Link>
          </li>
        )}
      </ul>
    </div>
  );
}
