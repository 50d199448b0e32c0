import { QuestionCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { isDialogOpen } from '../../../shared/lib/browser/dialog-open.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';

const KEY = 'F1';

/** Loaded when it is opened first, with its texts. */
const HelpDrawer = lazy(() =>
  loadChunk(async () => {
    const [drawer] = await Promise.all([import('./help-drawer.tsx'), loadWords(['help', 'content'])]);
    return drawer;
  }),
);

/** The button that opens the page of the manual for the current page, and its key. Only for readers of documents. */
export function HelpButton() {
  return usePermitted(['auth_docs_detail']) ? <Help /> : null;
}

function Help() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  // The help belongs to the page where it was opened; following a link in it closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== KEY || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A dialog may have input that would be lost.
      if (!isDialogOpen()) setOpenedOn(location.pathname);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        type="text"
        className="header-help"
        icon={<QuestionCircleOutlined />}
        aria-haspopup="dialog"
        aria-keyshortcuts={KEY}
        aria-label={t('shell.help')}
        title={`${t('shell.help')} (${KEY})`}
        onClick={() => setOpenedOn(pathname)}
      />
      {openedOn === pathname && (
        <Suspense>
          <HelpDrawer onClose={() => setOpenedOn(null)} />
        </Suspense>
      )}
    </>
  );
}
