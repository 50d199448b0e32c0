import { manualPageOf } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DocumentContentView } from '../../../shared/ui/content/document-content-view.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './help.module.css';

/** Opening the help again soon is not another reading. Milliseconds. */
const FRESH_MS = 5 * 60_000;

/** The page of the manual for the current page, with a link to it and to the other documents. */
export default function HelpDrawer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('help');
  const own = useLocale();
  const home = usePermitted(['auth_docs_home_list_all']);
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const part = search.get('section') ?? search.get('tab') ?? pathname.split('/').at(-1) ?? null;
  const { data, error, refetch } = useQuery({
    ...queryOf('readDocument', { query: { shipped: manualPageOf(pathname, part) } }, { quiet: true }),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  const missing = error instanceof ApiProblem && error.kind === 'business';
  return (
    <Drawer
      open
      title={data?.title ?? t('title')}
      size={520}
      onClose={onClose}
      footer={
        <nav className={css.links} aria-label={t('more')}>
          {data && <Link to={`/manage/docs/detail/${data.id}`}>{t('open')}</Link>}
          {home && <Link to="/manage/docs/home">{t('all')}</Link>}
        </nav>
      }
    >
      {data ? (
        <div className="stack">
          {data.locale !== own && <p className="quiet">{t('otherLanguage')}</p>}
          {data.description && (
            <p className={css.summary} lang={data.locale ?? undefined}>
              {data.description}
            </p>
          )}
          <DocumentContentView content={data.body} {...(data.locale && { lang: data.locale })} />
        </div>
      ) : missing ? (
        <EmptyState text={t('missing')} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Drawer>
  );
}
