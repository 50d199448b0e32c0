import { Tabs } from 'antd';
import { useLayoutEffect, useRef } from 'react';

export interface TabBarProps {
  /** of the tabs and of the panel: `<id>-tab-<key>`, `<id>-panel` */
  id: string;
  tabs: { key: string; label: string }[];
  open: string;
  onOpen(key: string): void;
}

/** The bar of `TabbedPage`, with the tabs of Ant Design but without their panels, and a menu for tabs that do not fit. */
export default function TabBar({ id, tabs, open, onOpen }: TabBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements of other tabs are other ones
  useLayoutEffect(() => {
    // Ant Design's tab list includes the button for tabs that do not fit, which is no tab.
    const list = bar.current?.querySelector('[data-node-key]')?.parentElement;
    const outer = list?.closest('[role=tablist]');
    for (const name of ['role', 'aria-orientation']) outer?.removeAttribute(name);
    list?.setAttribute('role', 'tablist');
    for (const tab of list?.querySelectorAll('[role=tab]') ?? []) tab.setAttribute('aria-controls', `${id}-panel`);
  }, [id, open, tabs.length]);
  return (
    <div ref={bar}>
      <Tabs
        id={id}
        classNames={{ header: 'page-tabs-bar', content: 'page-tabs-none' }}
        activeKey={open}
        onChange={onOpen}
        more={{ trigger: ['click'] }}
        destroyOnHidden
        items={tabs}
      />
    </div>
  );
}
