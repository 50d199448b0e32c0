import { CloseOutlined } from '@ant-design/icons';
import { closeTab, type HistoryTab, HOME, holdsAll, labelTabs, visitTab } from '@chargehand/domain';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { tabLabels } from '../../shared/hooks/use-tab-label.ts';
import { useExternal } from '../../shared/lib/external.ts';
import { holderOf, session, useSession } from '../../shared/session/session.ts';
import { useRouteHandle } from '../route-handle.ts';
import type { TitleKey } from '../routes/index.ts';
import { forgetTabs, storedTabs, storeTabs } from './tab-storage.ts';
import './history-tabs.css';

const NO_TAB: readonly string[] = ['/manage/noauth', '/manage/*'];

/** The pages visited in this browser session (spec §2): at most 20, Home first. */
export function HistoryTabs() {
  const { t } = useTranslation('routes');
  const { t: common } = useTranslation();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const labels = useExternal(tabLabels);
  const handle = useRouteHandle();
  const mayHome = holdsAll(holderOf(useSession()), ['auth_home']);
  const [visited, setTabs] = useState<HistoryTab[]>(() => withHome(storedTabs(), mayHome));
  const tabs = useMemo(() => labelTabs(visited, labels), [visited, labels]);
  const strip = useRef<HTMLElement>(null);

  const titleKey = handle && !NO_TAB.includes(handle.route) ? handle.titleKey : null;
  useEffect(() => {
    if (titleKey) setTabs((before) => visitTab(before, { path: pathname, titleKey, search }));
  }, [pathname, search, titleKey]);
  useEffect(() => {
    storeTabs(tabs);
  }, [tabs]);
  // Signing out clears the tabs. They are kept when the session ends for another reason, so that the user can continue.
  useEffect(() => session.subscribe(() => session.get().status === 'anonymous' && forgetTabs()), []);
  useEffect(() => {
    const box = strip.current;
    if (!box) return;
    // Keeps the tab of the page visible when tabs are added, renamed, or get less room.
    const observer = new ResizeObserver(() =>
      box
        .querySelector('[aria-current="page"]')
        ?.closest('.history-tab')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    observer.observe(box);
    for (const tab of box.children) observer.observe(tab);
    return () => observer.disconnect();
  });

  function close(path: string) {
    const { tabs: left, next } = closeTab(tabs, path);
    setTabs(left);
    if (path === pathname) navigate(next ? next.path + (next.search ?? '') : '/');
  }

  return (
    <nav className="history-tabs" aria-label={common('shell.history')} ref={strip}>
      {tabs.map((tab) => (
        <span className="history-tab" key={tab.path} data-current={tab.path === pathname}>
          <Link to={tab.path + (tab.search ?? '')} aria-current={tab.path === pathname ? 'page' : undefined}>
            {t(tab.titleKey as TitleKey)}
            {tab.label && <span className="history-tab-label">{tab.label}</span>}
          </Link>
          {tab.path !== HOME && (
            <button type="button" aria-label={common('shell.closeTab')} onClick={() => close(tab.path)}>
              <CloseOutlined aria-hidden="true" />
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

/** Home is always the first tab of users who may open it. */
function withHome(tabs: HistoryTab[], mayHome: boolean): HistoryTab[] {
  if (!mayHome) return tabs.filter((tab) => tab.path !== HOME);
  return tabs.some((tab) => tab.path === HOME) ? tabs : visitTab(tabs, { path: HOME, titleKey: 'home' });
}
