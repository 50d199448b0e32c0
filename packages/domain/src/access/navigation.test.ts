import { describe, expect, it } from 'vitest';
import {
  closeTab,
  deepLinkPath,
  guardRedirect,
  HISTORY_LIMIT,
  type HistoryTab,
  HOME,
  labelTabs,
  landingPath,
  type SidebarRoute,
  sidebarFor,
  visitTab,
} from './navigation.ts';

const holder = (...keys: string[]) => ({ root: false, keys: new Set(keys) });
const root = { root: true, keys: new Set<string>() };
const tab = (path: string, more: Partial<HistoryTab> = {}): HistoryTab => ({ path, titleKey: path, ...more });

describe('the landing page (spec §2)', () => {
  it.each([
    ['is Home with its key', holder('auth_home'), '/manage/home'],
    ['is Home for root', root, '/manage/home'],
    ['is Welcome without it', holder('auth_device'), '/manage/welcome'],
  ])('%s', (_title, who, path) => expect(landingPath(who)).toBe(path));
});

describe('the route guard (spec §2)', () => {
  it.each([
    ['allows users with all keys', holder('a', 'b'), '/manage/x', ['a', 'b'], null],
    ['allows everybody if no key is required', holder(), '/manage/x', [], null],
    ['redirects to noauth when one key is missing', holder('a'), '/manage/x', ['a', 'b'], '/manage/noauth'],
    ['redirects from Home to Welcome', holder('a'), HOME, ['auth_home'], '/manage/welcome'],
    ['allows root', root, '/manage/x', ['a'], null],
  ])('%s', (_title, who, path, keys, to) => expect(guardRedirect(who, { path, keys })).toBe(to));
});

describe('a deep link (spec §2)', () => {
  it('is followed when the user has all its keys', () =>
    expect(deepLinkPath(holder('a'), '/manage/x', ['a'])).toBe('/manage/x'));
  it('leads to Welcome otherwise', () => expect(deepLinkPath(holder(), '/manage/x', ['a'])).toBe('/manage/welcome'));
});

describe('history tabs (spec §2)', () => {
  it('a new page becomes the last tab', () => {
    expect(visitTab([tab('/a')], tab('/b')).map((each) => each.path)).toEqual(['/a', '/b']);
  });

  it('a page has one tab, which keeps its position and its last query', () => {
    const tabs = visitTab([tab('/a'), tab('/b')], tab('/a', { search: '?page=2' }));
    expect(tabs).toEqual([tab('/a', { search: '?page=2' }), tab('/b')]);
  });

  it('a tab keeps its label until it gets another one', () => {
    const tabs = labelTabs([tab('/a'), tab('/b')], { '/a': 'Pile 1' });
    expect(tabs).toEqual([tab('/a', { label: 'Pile 1' }), tab('/b')]);
    expect(visitTab(tabs, tab('/a', { search: '?tab=issues' }))[0]).toEqual(
      tab('/a', { label: 'Pile 1', search: '?tab=issues' }),
    );
    expect(labelTabs(tabs, { '/a': 'Pile 2' })[0]).toEqual(tab('/a', { label: 'Pile 2' }));
  });

  it('Home becomes the first tab when it is visited', () => {
    expect(visitTab([tab('/a')], tab(HOME)).map((each) => each.path)).toEqual([HOME, '/a']);
  });

  it('beyond the limit, the oldest tab except Home is removed', () => {
    const full = [tab(HOME), ...Array.from({ length: HISTORY_LIMIT - 1 }, (_, index) => tab(`/${index}`))];
    const tabs = visitTab(full, tab('/new'));
    expect(tabs).toHaveLength(HISTORY_LIMIT);
    expect(tabs[0]?.path).toBe(HOME);
    expect(tabs[1]?.path).toBe('/1');
    expect(tabs.at(-1)?.path).toBe('/new');
  });

  it('without Home, the oldest tab is removed', () => {
    const full = Array.from({ length: HISTORY_LIMIT }, (_, index) => tab(`/${index}`));
    expect(visitTab(full, tab('/new'))[0]?.path).toBe('/1');
  });

  it.each([
    ['shows the right neighbor of the closed tab', '/b', ['/a', '/c'], '/c'],
    ['shows the left neighbor of the last tab', '/c', ['/a', '/b'], '/b'],
    ['does nothing for a page without a tab', '/x', ['/a', '/b', '/c'], null],
  ])('%s', (_title, path, left, next) => {
    const closed = closeTab([tab('/a'), tab('/b'), tab('/c')], path);
    expect(closed.tabs.map((each) => each.path)).toEqual(left);
    expect(closed.next?.path ?? null).toBe(next);
  });

  it('Home cannot be closed', () => {
    expect(closeTab([tab(HOME), tab('/a')], HOME).tabs).toHaveLength(2);
  });
});

describe('the sidebar (spec §2)', () => {
  const route = (path: string, more: Partial<SidebarRoute> = {}): SidebarRoute => ({
    path,
    titleKey: path,
    keys: [],
    inSidebar: true,
    ...more,
  });
  const paths = (routes: SidebarRoute[], who = holder('a')) =>
    sidebarFor(who, routes).map((entry) => [entry.path, ...entry.children.map((child) => child.path)]);

  it.each<[string, SidebarRoute[], string[][]]>([
    ['shows sidebar routes', [route('/x')], [['/x']]],
    ['omits other routes', [route('/x', { inSidebar: false }), route('/y', { inSidebar: undefined })], []],
    ['omits routes with a missing key', [route('/x', { keys: ['a', 'b'] })], []],
    ['shows routes whose keys the user has', [route('/x', { keys: ['a'] })], [['/x']]],
    ['nests children', [route('/x', { children: [route('/x/1'), route('/x/2')] })], [['/x', '/x/1', '/x/2']]],
    ['filters children', [route('/x', { children: [route('/x/1', { keys: ['b'] })] })], [['/x']]],
    [
      'replaces a hidden parent with its children',
      [route('/x', { hidden: true, inSidebar: false, children: [route('/x/1'), route('/x/2')] }), route('/y')],
      [['/x/1'], ['/x/2'], ['/y']],
    ],
  ])('%s', (_title, routes, expected) => expect(paths(routes)).toEqual(expected));

  it('root sees every route of the sidebar', () => {
    expect(paths([route('/x', { keys: ['secret'] })], root)).toEqual([['/x']]);
  });

  it('children get the group of their parent', () => {
    const [entry] = sidebarFor(root, [route('/x', { group: 2, hidden: true, children: [route('/x/1')] })]);
    expect(entry).toMatchObject({ path: '/x/1', group: 2 });
  });
});
