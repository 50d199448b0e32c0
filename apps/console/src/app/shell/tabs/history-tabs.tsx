import { CloseOutlined, HistoryOutlined } from '@ant-design/icons';
import { closeTab, type HistoryTab, HOME, holdsAll, labelTabs, visitTab } from '@chargehand/domain';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { tabLabels } from '../../../shared/hooks/use-tab-label.ts';
import { useExternal } from '../../../shared/lib/external.ts';
import { holderOf, session, useSession } from '../../../shared/session/session.ts';
import { MenuButton } from '../../../shared/ui/menu/menu-button.tsx';
import { useRouteHandle } from '../../route-handle.ts';
import type { TitleKey } from '../../routes/index.ts';
import { fitTabs } from './fit-tabs.ts';
import { TabIcon } from './tab-icons.tsx';
import { forgetTabs, storedTabs, storeTabs } from './tab-storage.ts';

const NO_TAB: readonly string[] = ['/manage/noauth', '/manage/*'];
/** The width of the button with the tabs that do not fit, in pixels. */
const MENU_WIDTH = 64;

/**
 * The pages visited in this browser session (spec §2): at most 20, Home first. Those that do not fit are in a menu.
 * @param menu all of them in one menu, for a phone
 */
export default function HistoryTabs({ menu }: { menu: boolean }) {
  return menu ? <RecentPages /> : <TabStrip />;
}

function TabStrip() {
  const { t } = useTranslation();
  const { tabs, pathname, close } = useHistoryTabs();
  const strip = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  // The current tab is bold, and a name that arrives later changes the width.
  const keys = tabs.map((tab) => [tab.path, tab.title, tab.label, tab.path === pathname].join(' '));
  const current = tabs.findIndex(({ path }) => path === pathname);
  const pinned = tabs[0]?.path === HOME ? 1 : 0;
  // As long as the width of one is unknown, all are laid out, to be measured before they are painted.
  const measured = keys.every((key) => widths.has(key));
  const fits = measured
    ? fitTabs(
        keys.map((key) => widths.get(key) ?? 0),
        { room, menu: MENU_WIDTH, pinned, current },
      )
    : keys.map(() => true);
  useLayoutEffect(() => {
    if (measured || !strip.current) return;
    const shown = [...strip.current.querySelectorAll<HTMLElement>('.history-tab')];
    setWidths(new Map(keys.map((key, index) => [key, shown[index]?.offsetWidth ?? 0])));
  });
  useLayoutEffect(() => {
    const box = strip.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setRoom(box.clientWidth));
    setRoom(box.clientWidth);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const others = tabs.filter((_, index) => !fits[index]);

  return (
    <nav className="history-tabs" aria-label={t('shell.history')} ref={strip}>
      {tabs.map((tab, index) => (
        <span className="history-tab" key={tab.path} data-current={tab.path === pathname} hidden={!fits[index]}>
          <Link to={tab.to} aria-current={tab.path === pathname ? 'page' : undefined}>
            <TabIcon path={tab.path} />
            {tab.title}
            {tab.label && <span className="history-tab-label">{tab.label}</span>}
          </Link>
          {tab.path !== HOME && (
            <button
              type="button"
              aria-label={t('shell.closeTab', { name: tab.label ?? tab.title })}
              onClick={() => close(tab.path)}
            >
              <CloseOutlined aria-hidden="true" />
            </button>
          )}
        </span>
      ))}
      {others.length > 0 && <TabMenu tabs={others} text={`+${others.length}`} />}
    </nav>
  );
}

function RecentPages() {
  const { tabs } = useHistoryTabs();
  return <TabMenu tabs={tabs} />;
}

interface ShownTab extends HistoryTab {
  title: string;
  /** its address with the query of the last visit */
  to: string;
}

function TabMenu({ tabs, text }: { tabs: readonly ShownTab[]; text?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const label = t('shell.history');
  return (
    <MenuButton
      className="history-menu"
      type="text"
      placement="bottomRight"
      icon={<HistoryOutlined />}
      menu={{
        items: tabs.map(({ path, title, label: name, to }) => ({
          ...{ key: to, icon: <TabIcon path={path} /> },
          label: [title, name].filter(Boolean).join(' · '),
        })),
        onClick: ({ key }) => navigate(key),
      }}
      aria-label={text === undefined ? label : `${label} ${text}`}
      title={label}
    >
      {text}
    </MenuButton>
  );
}

function useHistoryTabs() {
  const { t } = useTranslation('routes');
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const labels = useExternal(tabLabels);
  const handle = useRouteHandle();
  const mayHome = holdsAll(holderOf(useSession()), ['auth_home']);
  const [visited, setTabs] = useState<HistoryTab[]>(() => withHome(storedTabs(), mayHome));
  const labelled = useMemo(() => labelTabs(visited, labels), [visited, labels]);

  const titleKey = handle && !NO_TAB.includes(handle.route) ? handle.titleKey : null;
  useEffect(() => {
    if (titleKey) setTabs((before) => visitTab(before, { path: pathname, titleKey, search }));
  }, [pathname, search, titleKey]);
  useEffect(() => {
    storeTabs(labelled);
  }, [labelled]);
  // Signing out clears the tabs. They are kept when the session ends for another reason, so that the user can continue.
  useEffect(() => session.subscribe(() => session.get().status === 'anonymous' && forgetTabs()), []);

  function close(path: string) {
    const { tabs: left, next } = closeTab(labelled, path);
    setTabs(left);
    if (path === pathname) navigate(next ? next.path + (next.search ?? '') : '/');
  }
  const tabs = labelled.map(
    (tab): ShownTab => ({ ...tab, title: t(tab.titleKey as TitleKey), to: tab.path + (tab.search ?? '') }),
  );
  return { tabs, pathname, close };
}

/** Home is always the first tab of users who may open it. */
function withHome(tabs: HistoryTab[], mayHome: boolean): HistoryTab[] {
  if (!mayHome) return tabs.filter((tab) => tab.path !== HOME);
  return tabs.some((tab) => tab.path === HOME) ? tabs : visitTab(tabs, { path: HOME, titleKey: 'home' });
}
