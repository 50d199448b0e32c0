import { lazy, type MouseEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';
import { PUSH_KEY } from '../../shared/lib/browser/pushes.ts';
import { useLive, useStream } from '../../shared/live/use-live.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { AntdProvider } from '../../shared/ui/page/antd-provider.tsx';
import '../live/live.ts';
import { useLiveBranding } from '../branding/use-live-branding.ts';
import { Breadcrumbs } from './breadcrumbs/breadcrumbs.tsx';
import { Header } from './header.tsx';
import { Sidebar } from './sidebar.tsx';
import './tabs/history-tabs.css';
import './shell.css';

/** Loaded when necessary: dialogs are a tenth of the size of a list page. */
const PrivacyDialog = lazy(() => loadChunk(() => import('./privacy-dialog.tsx')));

/** Without it, the page works as before. */
const NewVersion = lazy(() => import('./banners/new-version.tsx').catch(() => ({ default: () => null })));

/** Loaded for the few who see them. The frame has room for the banner of an impersonation (`--viewing-height`). */
const ImpersonationBanner = lazy(() => loadChunk(() => import('./banners/impersonation-banner.tsx')));
const StorageBanner = lazy(() => loadChunk(() => import('./banners/storage-banner.tsx')));

/** Their row keeps its height until they are loaded, which is after the page. */
const HistoryTabs = lazy(() => loadChunk(() => import('./tabs/history-tabs.tsx')));

function VisitedPages({ menu }: { menu: boolean }) {
  return (
    <Suspense fallback={menu && <span className="history-menu" />}>
      <HistoryTabs menu={menu} />
    </Suspense>
  );
}

const COLLAPSED_KEY = 'chargehand.sidebar';

/** Lets the pushes to this browser end with the session of its user. Most browsers have none. */
function usePushes(): void {
  const { info, user } = useUser();
  const reader = info.viewing === null ? user.id : null;
  useEffect(() => {
    if (reader === null || localStorage.getItem(PUSH_KEY) === null) return;
    import('../../features/messages/push/keep-pushes.ts')
      .then(({ keepPushes }) => keepPushes())
      .catch((error: unknown) => console.warn('The pushes of this browser could not be checked', error));
  }, [reader]);
}

/**
 * Says that the server has another version than this page, which is found out after the live stream was lost: a new
 * version does that. Its code is loaded when the connection is back.
 */
function VersionNotice() {
  const { version } = useUser().info.settings;
  const live = useLive();
  const [lostAt, setLostAt] = useState<number | null>(null);
  const [needed, setNeeded] = useState((import.meta.env.CHARGEHAND_VERSION ?? version) !== version);
  if (live.state === 'polling' && live.since.getTime() !== lostAt) setLostAt(live.since.getTime());
  if (lostAt !== null && live.state === 'live' && !needed) setNeeded(true);
  return (
    needed && (
      <Suspense>
        <NewVersion lostAt={lostAt} />
      </Suspense>
    )
  );
}

/**
 * Moves the focus to the content after each navigation, so that the next Tab is on the new page and not behind the header
 * and the sidebar again. What already has the focus on the page, such as its search field, keeps it.
 */
function useFocusOnContent(pathname: string): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const [first] = useState(pathname);
  const moved = useRef(false);
  useEffect(() => {
    if (pathname === first && !moved.current) return;
    moved.current = true;
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true });
  }, [pathname, first]);
  return content;
}

/** The content of a list is its rows: their actions are not behind the filters and the headers of the columns. */
function skipToRows(event: MouseEvent, page: HTMLElement | null): void {
  const row = page?.querySelector('.headline') ? null : page?.querySelector<HTMLElement>('.data-table [data-row-key]');
  if (!row) return;
  event.preventDefault();
  row.focus();
}

/** The console frame of every page below /manage. */
export function Shell() {
  const { t } = useTranslation();
  const { info } = useUser();
  const { pathname } = useLocation();
  const narrow = useMedia('(max-width: 760px)');
  const content = useFocusOnContent(pathname);
  const [collapsed, setCollapsed] = useState(localStorage.getItem(COLLAPSED_KEY) === 'collapsed');
  // The drawer belongs to the page where it was opened; navigation closes it.
  const [drawerPage, setDrawerPage] = useState<string | null>(null);
  const accepted = !info.privacy.needConfirm;
  // Pages load nothing before the privacy policy is accepted. A new version does not remove the page that a user works on.
  const [opened, setOpened] = useState(accepted);
  if (accepted && !opened) setOpened(true);
  useStream();
  useLiveBranding();
  usePushes();

  function collapse(next: boolean) {
    localStorage.setItem(COLLAPSED_KEY, next ? 'collapsed' : 'open');
    setCollapsed(next);
  }

  return (
    <AntdProvider>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which leads further if there are rows */}
      <a className="skip-link" href="#content" onClick={(event) => skipToRows(event, content.current)}>
        {t('shell.skip')}
      </a>
      <div
        className="shell"
        data-collapsed={collapsed}
        data-drawer={drawerPage === pathname}
        data-impersonation={info.viewing !== null}
      >
        <div className="shell-main">
          {info.viewing && (
            <Suspense fallback={<div className="viewing-room" />}>
              <ImpersonationBanner impersonation={info.viewing} userId={info.user.id} />
            </Suspense>
          )}
          <VersionNotice />
          <Header onMenu={() => setDrawerPage(pathname)}>{narrow && <VisitedPages menu />}</Header>
          <Sidebar collapsed={collapsed} onCollapse={collapse} onClose={() => setDrawerPage(null)} />
          <main id="content" className="shell-content" tabIndex={-1} ref={content}>
            {opened && (
              <>
                {(info.user.root || info.user.platformVendor) && (
                  <Suspense>
                    <StorageBanner />
                  </Suspense>
                )}
                <Breadcrumbs />
                <Outlet />
              </>
            )}
          </main>
          {!narrow && (
            <div className="history-row">
              <VisitedPages menu={false} />
            </div>
          )}
        </div>
      </div>
      {!accepted && (
        <Suspense fallback={<div className="privacy-waits" aria-busy="true" />}>
          <PrivacyDialog />
        </Suspense>
      )}
    </AntdProvider>
  );
}
