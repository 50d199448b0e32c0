import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { useProductName } from '../shared/branding/branding.ts';
import { tabLabels } from '../shared/hooks/use-tab-label.ts';
import { loadWords } from '../shared/i18n/i18n.ts';
import { loadChunk } from '../shared/lib/browser/load-chunk.ts';
import { useExternal } from '../shared/lib/external.ts';
import { useSession } from '../shared/session/session.ts';
import { unfinishedUploads } from '../shared/storage/unfinished-uploads.ts';
import { Toaster } from '../shared/ui/dialogs/toaster.tsx';
import { useRouteHandle } from './route-handle.ts';

const SessionEndDialog = lazy(() => loadChunk(() => import('./shell/session-end-dialog.tsx')));

/**
 * Loaded with the first upload, or after a reload that interrupted one. Not a part of the shell, which would then need
 * another request for the mark of unfinished uploads.
 */
const UploadPanel = lazy(async () => {
  const [panel] = await Promise.all([
    loadChunk(() => import('../features/attachments/uploads/upload-panel.tsx')),
    loadWords(['attachments']),
  ]);
  return panel;
});

/** Surrounds every page: title, loading bar, messages, and the dialog at the end of a session. */
export function Root() {
  const { t } = useTranslation('routes');
  const handle = useRouteHandle();
  const session = useSession();
  const uploads = useExternal(unfinishedUploads);
  const navigation = useNavigation();
  const impersonation = session.status === 'signedIn' ? session.info.viewing : null;
  const { t: access } = useTranslation('access');
  const marks = impersonation ? [access('impersonation.tab', { name: impersonation.userName })] : [];
  const label = useExternal(tabLabels)[useLocation().pathname];
  const product = useProductName();
  // The name comes first, because a browser tab shows only the first words.
  const title = [...marks, label, handle && t(handle.titleKey), product].filter(Boolean).join(' · ');

  useEffect(() => {
    document.title = title;
  }, [title]);
  // The first page is there: the frame that index.html painted before it is not needed any more.
  useEffect(() => {
    delete document.documentElement.dataset.shell;
  }, []);

  return (
    <>
      {navigation.state === 'loading' && <div className="progress-line" role="presentation" />}
      <Outlet />
      <Toaster />
      {uploads && session.status === 'signedIn' && (
        <Suspense>
          <UploadPanel />
        </Suspense>
      )}
      {session.status === 'ended' && (
        <Suspense>
          <SessionEndDialog message={session.end.message} />
        </Suspense>
      )}
    </>
  );
}
