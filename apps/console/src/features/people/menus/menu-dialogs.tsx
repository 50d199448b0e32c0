import type { MenuRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { possibleParents } from './place.ts';

/** The option "at the top", because null cannot be an option. */
const TOP = '';

/** Creates a menu with names in both languages, below another one or at the top. */
export function AddMenuDialog(props: {
  menus: readonly MenuRow[];
  parentKey: string | null;
  onAdded(key: string): void;
  onClose(): void;
}) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const [nameEn, setNameEn] = useState('');
  const [nameZh, setNameZh] = useState('');
  const [parent, setParent] = useState(props.parentKey ?? TOP);
  return (
    <Confirm
      title={t('addTitle')}
      ok={t('addOk')}
      entered={[nameEn, nameZh, parent]}
      ready={nameEn.trim() !== '' && nameZh.trim() !== ''}
      run={async () => {
        const body = { nameEn, nameZh, parentKey: parent === TOP ? null : parent };
        const { key } = await call('createMenu', { body }, { quiet: true });
        await refresh('listMenus');
        props.onAdded(key);
      }}
      onDone={() => {
        toast.success(t('added', { name: menuName({ nameEn, nameZh }, locale) }));
        props.onClose();
      }}
      onClose={props.onClose}
    >
      <p>{t('addText')}</p>
      <TextField label={t('nameEn')} value={nameEn} onChange={setNameEn} autoFocus />
      <TextField label={t('nameZh')} value={nameZh} onChange={setNameZh} />
      <ParentField menus={props.menus} without={null} value={parent} onChange={setParent} />
    </Confirm>
  );
}

/** Moves a menu to the end of another menu, or to the end of the top level. */
export function MoveMenuDialog(props: { menu: MenuRow; menus: readonly MenuRow[]; onClose(): void }) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const { menu, menus, onClose } = props;
  const [parent, setParent] = useState(menu.parentKey ?? TOP);
  const name = menuName(menu, locale);
  return (
    <Confirm
      title={t('moveTitle', { name })}
      ok={t('moveOk')}
      ready={parent !== (menu.parentKey ?? TOP)}
      run={async () => {
        const body = { parentKey: parent === TOP ? null : parent, index: menus.length };
        await call('moveMenu', { params: { key: menu.key }, body }, { quiet: true });
      }}
      onDone={() => {
        toast.success(t('moved', { name }));
        void refresh('listMenus');
        onClose();
      }}
      onClose={onClose}
    >
      <ParentField menus={menus} without={menu.key} value={parent} onChange={setParent} />
    </Confirm>
  );
}

export function DeleteMenuDialog({ menu, onDeleted, onClose }: { menu: MenuRow; onDeleted(): void; onClose(): void }) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const name = menuName(menu, locale);
  return (
    <Confirm
      title={t('deleteTitle', { name })}
      ok={t('delete')}
      danger
      run={() => call('deleteMenu', { params: { key: menu.key } }, { quiet: true })}
      onDone={() => {
        toast.success(t('deleted', { name }));
        onClose();
        onDeleted();
        void refresh('listMenus', 'listInterfaces');
      }}
      onClose={onClose}
    >
      <p>{t('deleteText')}</p>
    </Confirm>
  );
}

/** Selects interfaces to attach to a menu; only those that the user can call. */
export function AttachDialog({ menu, onClose }: { menu: MenuRow; onClose(): void }) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const id = useId();
  const [ids, setIds] = useState<string[]>([]);
  const interfaces = useQuery(queryOf('listInterfaces', {}, { quiet: true }));
  const carried = new Set(menu.interfaces.map((one) => one.id));
  const offered = (interfaces.data?.items ?? []).filter((one) => one.changeable && !carried.has(one.id));
  return (
    <Confirm
      title={t('attachTitle', { name: menuName(menu, locale) })}
      ok={t('attachOk')}
      ready={ids.length > 0}
      run={() => call('setMenuInterfaces', { params: { key: menu.key }, body: { attach: ids } }, { quiet: true })}
      onDone={() => {
        toast.success(t('attached', { count: ids.length }));
        void refresh('listMenus', 'listInterfaces');
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t('attachText')}</p>
      <label htmlFor={id}>{t('tabInterfaces')}</label>
      <Select<string[], { value: string; label: string }>
        id={id}
        mode="multiple"
        autoFocus
        loading={interfaces.isPending}
        value={ids}
        placeholder={t('attachSearch')}
        showSearch={{ optionFilterProp: 'label' }}
        options={offered.map((one) => ({
          value: one.id,
          label: `${menuName(one, locale)} · ${one.method} ${one.url}`,
        }))}
        onChange={setIds}
      />
    </Confirm>
  );
}

function TextField(props: { label: string; value: string; onChange(text: string): void; autoFocus?: boolean }) {
  const id = useId();
  return (
    <div className="menu-field">
      <label htmlFor={id}>{props.label}</label>
      <Input
        id={id}
        value={props.value}
        maxLength={64}
        autoComplete="off"
        autoFocus={props.autoFocus ?? false}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}

function ParentField(props: {
  menus: readonly MenuRow[];
  without: string | null;
  value: string;
  onChange(key: string): void;
}) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const id = useId();
  const options = possibleParents(props.menus, props.without).map((menu) => ({
    value: menu.key,
    label: pathOf(props.menus, menu, locale),
  }));
  return (
    <div className="menu-field">
      <label htmlFor={id}>{t('parent')}</label>
      <Select
        id={id}
        value={props.value}
        showSearch={{ optionFilterProp: 'label' }}
        options={[{ value: TOP, label: t('top') }, ...options]}
        onChange={props.onChange}
      />
    </div>
  );
}

/** A menu with the names of its ancestors. */
function pathOf(menus: readonly MenuRow[], menu: MenuRow, locale: string): string {
  const names = [menuName(menu, locale)];
  let parent = menus.find((one) => one.key === menu.parentKey);
  while (parent) {
    names.unshift(menuName(parent, locale));
    const above = parent.parentKey;
    parent = menus.find((one) => one.key === above);
  }
  return names.join(' / ');
}
