import { HOME } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError, useSearchParams } from 'react-router';
import { ApiProblem } from '../../shared/api/problem.ts';
import { isServerReachable } from '../../shared/api/readiness.ts';
import { ChunkLoadError } from '../../shared/lib/browser/load-chunk.ts';
import { report } from '../../shared/lib/errors/report.ts';
import { useSession } from '../../shared/session/session.ts';
import { PlainButton } from '../../shared/ui/states/plain-button.tsx';
import { PageFrame } from '../page-frame.tsx';
import { MessagePage } from './message-page.tsx';

/** The page does not exist, inside the shell. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <MessagePage
      code="404"
      title={t('error.notFoundTitle')}
      text={t('error.notFoundText')}
      actions={<Ways home back />}
    />
  );
}

/** The page does not exist, outside the shell. */
export function PlainNotFoundPage() {
  return (
    <PageFrame>
      <NotFoundPage />
    </PageFrame>
  );
}

/** Access denied (403): title, description, and a link to the landing page (spec §2). */
export function ForbiddenPage() {
  const { t } = useTranslation();
  return (
    <MessagePage
      code="403"
      title={t('error.forbiddenTitle')}
      text={t('error.forbiddenText')}
      actions={<Ways home={HOME} />}
    />
  );
}

/** The server is unreachable: home, reload, back (spec §2). */
function NetworkErrorPage({ home = '/' }: { home?: string }) {
  const { t } = useTranslation();
  return (
    <MessagePage
      code={t('error.networkCode')}
      title={t('error.networkTitle')}
      text={t('error.networkText')}
      actions={<Ways home={home} reload back />}
    />
  );
}

/**
 * A chunk of the console could not be loaded. If the server responds, the chunk no longer exists and a reload loads the
 * new version (spec §8). Otherwise the page says that the server is unreachable.
 */
export function ChunkPage({ code }: { code: string }) {
  const { t } = useTranslation();
  const { data: reachable } = useQuery({
    queryKey: ['reachable'],
    queryFn: isServerReachable,
    networkMode: 'always',
    gcTime: 0,
  });
  if (reachable === undefined) return null;
  if (!reachable) return <NetworkErrorPage />;
  return (
    <MessagePage
      code={t('error.chunkCode')}
      title={t('error.chunkTitle')}
      text={t('error.chunkText')}
      detail={code}
      actions={<Ways reloadFirst home />}
    />
  );
}

/** An error in the console or the server (500). */
function SystemErrorPage({ error, id }: { error: unknown; id: string | null }) {
  const { t } = useTranslation();
  return (
    <MessagePage
      code="500"
      title={t('error.systemTitle')}
      text={t('error.systemText')}
      detail={error instanceof Error ? `${error.message}${id ? `\nID ${id.slice(0, 8)}` : ''}` : undefined}
      actions={<Ways home reload back />}
    />
  );
}

/** Shows any error of a page or its loader by its kind. Also the page `/error`. */
export function CrashPage() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const { status } = useSession();
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    if (error) report(error, setId);
  }, [error]);

  const page = error === undefined || error === null ? <NamedPage /> : pageFor(error, id);
  const inShell = pathname.startsWith('/manage') && status === 'signedIn';
  return inShell ? page : <PageFrame>{page}</PageFrame>;
}

/** `/error?type=403`: the variants of spec §2 by name. */
function NamedPage() {
  const [search] = useSearchParams();
  const type = search.get('type');
  if (type === '404') return <NotFoundPage />;
  if (type === '403') return <ForbiddenPage />;
  if (type === 'network') return <NetworkErrorPage />;
  return <SystemErrorPage error={null} id={null} />;
}

function pageFor(error: unknown, id: string | null) {
  if (error instanceof ChunkLoadError) return <ChunkPage code={error.code} />;
  if (error instanceof ApiProblem && error.kind === 'network') return <NetworkErrorPage />;
  if (error instanceof ApiProblem && error.kind === 'permission') return <ForbiddenPage />;
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  if (isRouteErrorResponse(error) && error.status === 403) return <ForbiddenPage />;
  return <SystemErrorPage error={error} id={id} />;
}

/** The actions of an error page, the most helpful one first. */
function Ways(props: { home?: boolean | string; reload?: boolean; reloadFirst?: boolean; back?: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const home = typeof props.home === 'string' ? props.home : '/';
  return (
    <>
      {props.reloadFirst && (
        <PlainButton primary onClick={() => location.reload()}>
          {t('error.reload')}
        </PlainButton>
      )}
      {props.home && (
        <PlainButton primary={!props.reloadFirst} onClick={() => navigate(home)}>
          {t('error.home')}
        </PlainButton>
      )}
      {props.reload && <PlainButton onClick={() => location.reload()}>{t('error.reload')}</PlainButton>}
      {props.back && <PlainButton onClick={() => navigate(-1)}>{t('error.back')}</PlainButton>}
    </>
  );
}
