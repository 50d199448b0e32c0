import type { MenuRow, RoleDetail } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Tree, type TreeDataNode } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../people.module.css';
import { type MenuBranch, menuTree, tick } from './menu-tree.ts';
import { RoleOf, RolePage } from './role-page.tsx';

/** Menu authorization of a role: its menus, and thereby its interfaces. */
export default function RoleMenusPage() {
  const { t: routes } = useTranslation('routes');
  const menus = useQuery(queryOf('listMenus', {}, { quiet: true }));
  const title = routes('roleMenus');
  return (
    <RoleOf title={title}>
      {(role) =>
        menus.data ? (
          <RoleMenusForm key={role.id} title={title} role={role} menus={menus.data.items} />
        ) : menus.isError ? (
          <ErrorState error={menus.error} onRetry={() => void menus.refetch()} />
        ) : (
          <SkeletonRows />
        )
      }
    </RoleOf>
  );
}

function RoleMenusForm({ title, role, menus }: { title: string; role: RoleDetail; menus: readonly MenuRow[] }) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const locale = useLocale();
  const { user, info } = useUser();
  const [keys, setKeys] = useEntered(role, keysOf);
  const [showsInterfaces, setShowsInterfaces] = useState(false);
  const own = useMemo(() => new Set(info.role.auth), [info]);
  const grantable = (key: string) => user.root || own.has(key);
  const common = menus.filter((menu) => menu.common).map((menu) => menu.key);
  const dirty = [...keys].sort().join() !== role.keys.toSorted().join();
  const save = useMutation({
    mutationFn: () => {
      const body = { keys: [...keys], revision: role.revision };
      return call('setRoleMenus', { params: { id: role.id }, body }, { quiet: true });
    },
    onSuccess: async () => {
      toast.success(t('role.saved', { name: roleNameOf(role.name) }));
      await refresh('readRole', 'listRoles', 'listRoleChoices');
    },
  });

  const nodeOf = ({ menu, children }: MenuBranch): TreeDataNode => {
    const granted = menu.common || keys.has(menu.key);
    return {
      key: menu.key,
      title: (
        <span className={css.menuNode}>
          {menuName(menu, locale)}
          {menu.common && <span className={css.menuMark}>{t('menu.common')}</span>}
          {!menu.common && !grantable(menu.key) && <span className={css.menuMark}>{t('menu.beyond')}</span>}
          {menu.interfaces.length > 0 && (
            <span className="quiet">{t('menu.interfaceCount', { count: menu.interfaces.length })}</span>
          )}
        </span>
      ),
      disableCheckbox: menu.common || !role.grantable || (!grantable(menu.key) && !keys.has(menu.key)),
      children: [
        ...(showsInterfaces ? menu.interfaces.map((one) => interfaceNode(menu, one, granted || one.common)) : []),
        ...children.map(nodeOf),
      ],
    };
  };
  const interfaceNode = (menu: MenuRow, one: MenuRow['interfaces'][number], granted: boolean): TreeDataNode => ({
    key: `${menu.key} ${one.id}`,
    checkable: false,
    selectable: false,
    title: (
      <span className={granted ? css.interfaceNode : `${css.interfaceNode} ${css.interfaceNodeOff}`}>
        {menuName(one, locale)}
        <code>
          {one.method} {one.url}
        </code>
        {one.common && <span className={css.menuMark}>{t('menu.common')}</span>}
        <span className="visually-hidden">{granted ? t('menu.granted') : t('menu.notGranted')}</span>
      </span>
    ),
  });

  return (
    <RolePage
      title={title}
      role={role}
      part="menu"
      dirty={dirty}
      save={save}
      onDiscard={() => setKeys(new Set(role.keys))}
    >
      <Panel
        title={t('menu.chosen', { count: keys.size, of: menus.length })}
        extra={
          <span className="field-row">
            <label className="check">
              <input
                type="checkbox"
                checked={showsInterfaces}
                onChange={(event) => setShowsInterfaces(event.target.checked)}
              />
              {t('menu.showInterfaces')}
            </label>
            <Button
              size="small"
              disabled={!role.grantable}
              onClick={() => setKeys(new Set([...keys, ...menus.map((menu) => menu.key).filter(grantable)]))}
            >
              {t('menu.all')}
            </Button>
            <Button size="small" disabled={!role.grantable} onClick={() => setKeys(new Set())}>
              {t('menu.nothing')}
            </Button>
          </span>
        }
      >
        <p className={`quiet ${css.menuHint}`}>{t('menu.hint')}</p>
        <Tree
          // The tree's expanded nodes are set when it is created.
          key={String(showsInterfaces)}
          aria-label={title}
          checkable
          checkStrictly
          defaultExpandAll
          selectable={false}
          checkedKeys={{ checked: [...keys, ...common], halfChecked: [] }}
          treeData={menuTree(menus).map(nodeOf)}
          onCheck={(_, { node, checked }) => setKeys(tick(menus, keys, String(node.key), checked, grantable))}
        />
      </Panel>
    </RolePage>
  );
}

function keysOf(role: RoleDetail): ReadonlySet<string> {
  return new Set(role.keys);
}
