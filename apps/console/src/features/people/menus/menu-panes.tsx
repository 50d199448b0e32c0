import type { MenuRow } from '@chargehand/contract';
import { Tree, type TreeDataNode } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import css from '../people.module.css';
import { type MenuBranch, menuTree } from '../roles/menu-tree.ts';
import { MenuDetail } from './menu-detail.tsx';
import menusCss from './menus.module.css';
import { dropPlace, type Place } from './place.ts';

interface Props {
  menus: readonly MenuRow[];
  chosen: string | null;
  onChoose(key: string | null): void;
}

/** The tree of menus next to the selected one. A menu is moved by dragging, or with its buttons. */
export function MenuPanes({ menus, chosen, onChoose }: Props) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const { user } = useUser();
  const menu = menus.find((one) => one.key === chosen);
  const move = async (key: string, place: Place) => {
    await call('moveMenu', { params: { key }, body: place });
    toast.success(t('moved', { name: nameOf(key) }));
    await refresh('listMenus');
  };
  const nameOf = (key: string) => {
    const found = menus.find((one) => one.key === key);
    return found ? menuName(found, locale) : key;
  };

  const nodeOf = ({ menu: one, children }: MenuBranch): TreeDataNode => ({
    key: one.key,
    title: (
      <span className={css.menuNode}>
        {menuName(one, locale)}
        {one.common && <span className={css.menuMark}>{t('everyone')}</span>}
        {!one.builtIn && <span className={css.menuMark}>{t('own')}</span>}
        {one.interfaces.length > 0 && (
          <span className="quiet">{t('interfaceCount', { count: one.interfaces.length })}</span>
        )}
      </span>
    ),
    children: children.map(nodeOf),
  });

  return (
    <div className={menusCss.menuPanes}>
      <Panel title={t('tree', { count: menus.length })}>
        <p className={`quiet ${css.menuHint}`}>{t('treeHint')}</p>
        <Tree
          aria-label={t('tabMenus')}
          blockNode
          defaultExpandAll
          draggable={user.readOnly ? false : { icon: false }}
          selectedKeys={menu ? [menu.key] : []}
          treeData={menuTree(menus).map(nodeOf)}
          onSelect={(_, { node }) => onChoose(String(node.key))}
          onDrop={({ dragNode, node, dropPosition, dropToGap }) => {
            const own = Number(node.pos.split('-').at(-1));
            const where = dropToGap ? (dropPosition < own ? 'before' : 'after') : 'into';
            const place = dropPlace(menus, String(dragNode.key), String(node.key), where);
            // The error was shown; somebody else may have changed the list first.
            if (place) void move(String(dragNode.key), place).catch(() => refresh('listMenus'));
            else toast.error(t('cannotGoThere'));
          }}
        />
      </Panel>
      {menu ? (
        <MenuDetail key={menu.key} menu={menu} menus={menus} onMove={move} onDeleted={() => onChoose(null)} />
      ) : (
        <Panel>
          <EmptyState text={t('chooseOne')} />
        </Panel>
      )}
    </div>
  );
}
