import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';
import { PUSH_KEY } from '../../shared/lib/browser/pushes.ts';
import { useLive, useStream } from '../../shared/live/use-live.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { AntdProvider } from '../../shared/ui/page/antd-provider.tsx';
import '../live/live.ts';
import { useLiveBranding } from '../branding/use-live-branding.ts';
import { ImpersonationBanner } from './banners/impersonation-banner.tsx';
import { StorageBanner } from './banners/storage-banner.tsx';
import { Breadcrumbs } from './breadcrumbs/breadcrumbs.tsx';
import { Header } from './header.tsx';
import { Sidebar } from './sidebar.tsx';
import './shell.css';

/** Loaded when necessary: dialogs are a tenth of the size of a list page. */
const PrivacyDialog = lazy(() => loadChunk(() => import('./privacy-dialog.tsx')));

/** Without it, the page works as before. */
const NewVersion = lazy(() => import('./banners/new-version.tsx').catch(() => ({ default: () => null })));

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

/** The console frame of every page below /manage. */
export function Shell() {
  const { t } = useTranslation();
  const { info } = useUser();
  const { pathname } = useLocation();
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
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <div
        className="shell"
        data-collapsed={collapsed}
        data-drawer={drawerPage === pathname}
        data-impersonation={info.viewing !== null}
      >
        <Sidebar collapsed={collapsed} onCollapse={collapse} onClose={() => setDrawerPage(null)} />
        <div className="shell-main">
          {info.viewing && <ImpersonationBanner impersonation={info.viewing} userId={info.user.id} />}
          <VersionNotice />
          <Header onMenu={() => setDrawerPage(pathname)} />
          <main id="content" className="shell-content" tabIndex={-1}>
            {opened && (
              <>
                {(info.user.root || info.user.platformVendor) && <StorageBanner />}
                <Breadcrumbs />
                <Outlet />
              </>
            )}
          </main>
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
