import type { InterfaceRow, MenuRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { PagedTable } from '../../../shared/ui/table/paged-table.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import '../../../shared/ui/list-page/data-table.css';
import css from './menus.module.css';

const SHOWN = ['none', 'common', 'changed', 'public'] as const;
type Shown = (typeof SHOWN)[number];

/** Every interface of the server: who can call it, and what users changed. */
export function InterfaceList({ menus }: { menus: readonly MenuRow[] }) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const { user } = useUser();
  const narrow = useMedia('(max-width: 900px)');
  const [search, setSearch] = useSearchParams();
  const interfaces = useQuery(queryOf('listInterfaces', {}, { quiet: true }));
  const show = SHOWN.find((one) => one === search.get('show'));
  const change = (name: string, value: string | undefined) =>
    setSearch(
      (before) => {
        const params = new URLSearchParams(before);
        if (value) params.set(name, value);
        else params.delete(name);
        return params;
      },
      { replace: true },
    );
  const wanted = search.get('search') ?? '';
  const typed = useTyped(wanted, (text) => change('search', text));
  const names = new Map(menus.map((menu) => [menu.key, menuName(menu, locale)]));
  const nameOf = (key: string) => names.get(key) ?? key;

  if (!interfaces.data) {
    return interfaces.isError ? (
      <ErrorState error={interfaces.error} onRetry={() => void interfaces.refetch()} />
    ) : (
      <SkeletonRows rows={12} />
    );
  }
  const rows = interfaces.data.items.filter((one) => isShown(one, show) && isFound(one, wanted));
  const lost = interfaces.data.items.filter((one) => one.carried === 'none').length;

  const name = (one: InterfaceRow) => (
    <span className={css.interfaceName}>
      {menuName(one, locale)}
      <code>
        {one.method} {one.url}
      </code>
    </span>
  );
  const reach = (one: InterfaceRow) => <Reach one={one} nameOf={nameOf} />;
  const changes = (one: InterfaceRow) => <Changes one={one} nameOf={nameOf} />;
  const common = (one: InterfaceRow) => <CommonCheck one={one} disabled={user.readOnly} />;
  const columns: Column<InterfaceRow>[] = narrow
    ? [
        {
          key: 'all',
          render: (_, one) => (
            <div className="list-card">
              {name(one)}
              {reach(one)}
              {changes(one)}
              {common(one)}
            </div>
          ),
        },
      ]
    : [
        { title: t('interface'), key: 'name', render: (_, one) => name(one) },
        { title: t('reach'), key: 'reach', width: '26%', render: (_, one) => reach(one) },
        { title: t('changed'), key: 'changed', width: '26%', render: (_, one) => changes(one) },
        { title: t('commonShort'), key: 'common', width: 130, render: (_, one) => common(one) },
      ];

  return (
    <div className="stack">
      <p className="quiet">{t('syncNote')}</p>
      {lost > 0 && (
        <p className="warning-note">
          {t('lost', { count: lost })}{' '}
          {show !== 'none' && (
            <button type="button" className="text-button" onClick={() => change('show', 'none')}>
              {t('showLost')}
            </button>
          )}
        </p>
      )}
      <search className="filters">
        <Input.Search
          className="filters-search"
          allowClear
          value={typed.text}
          placeholder={t('search')}
          aria-label={t('search')}
          onChange={(event) => typed.type(event.target.value)}
          onSearch={typed.settleNow}
        />
        <Select<Shown | undefined>
          allowClear
          value={show}
          placeholder={t('show')}
          aria-label={t('show')}
          popupMatchSelectWidth={false}
          options={SHOWN.map((one) => ({ value: one, label: t(`shown.${one}`) }))}
          onChange={(next) => change('show', next)}
        />
      </search>
      <div className="data-table">
        <PagedTable<InterfaceRow>
          label={t('tabInterfaces')}
          showHeader={!narrow}
          columns={columns}
          rows={rows}
          empty={<EmptyState text={t('noneFound')} />}
          firstSize={20}
          choosesSize={!narrow}
        />
      </div>
    </div>
  );
}

function isShown(one: InterfaceRow, show: Shown | undefined): boolean {
  if (show === undefined) return true;
  return show === 'changed' ? isChanged(one) : one.carried === show;
}

function isChanged({ changed }: InterfaceRow): boolean {
  return changed.common || changed.attached.length + changed.detached.length > 0;
}

function isFound(one: InterfaceRow, wanted: string): boolean {
  const text = `${one.id} ${one.nameEn} ${one.nameZh} ${one.method} ${one.url}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Who can call an interface. One without a menu is for root only. */
function Reach({ one, nameOf }: { one: InterfaceRow; nameOf(key: string): string }) {
  const { t } = useTranslation('menus');
  if (one.carried === 'public') return <span className="quiet">{t('carried.public')}</span>;
  if (one.carried === 'none') {
    return (
      <Tag tone="firmware-update" glyph="alert">
        {t('carried.none')}
      </Tag>
    );
  }
  return (
    <span className={css.interfaceMenus}>
      {one.carried === 'common' && <span>{t('carried.common')}</span>}
      {one.menus.map((key) => (
        <Link key={key} to={`/manage/system/menu?menu=${encodeURIComponent(key)}`}>
          {nameOf(key)}
        </Link>
      ))}
    </span>
  );
}

/** The changes made by users, which the sync at the next start keeps; they can be reverted. */
function Changes({ one, nameOf }: { one: InterfaceRow; nameOf(key: string): string }) {
  const { t } = useTranslation('menus');
  const { user } = useUser();
  const restore = useMutation({
    mutationFn: () => call('restoreInterface', { params: { interfaceId: one.id }, body: {} }),
    onSuccess: async () => {
      toast.success(t('restored'));
      await refresh('listMenus', 'listInterfaces');
    },
  });
  if (!isChanged(one)) return null;
  return (
    <span className={css.interfaceChanges}>
      <span>{changesOf(one, nameOf, t)}</span>
      {one.changeable && (
        <Button
          size="small"
          disabled={user.readOnly}
          loading={restore.isPending}
          title={t('restoreHint')}
          onClick={() => restore.mutate()}
        >
          {t('restore')}
        </Button>
      )}
    </span>
  );
}

function changesOf({ changed }: InterfaceRow, nameOf: (key: string) => string, t: TFunction<'menus'>): string {
  const list = (keys: readonly string[]) => keys.map(nameOf).join(t('and'));
  return [
    changed.attached.length > 0 && t('attachedByHand', { menus: list(changed.attached) }),
    changed.detached.length > 0 && t('detachedByHand', { menus: list(changed.detached) }),
    changed.common && t('commonByHand'),
  ]
    .filter(Boolean)
    .join(' · ');
}

function CommonCheck({ one, disabled }: { one: InterfaceRow; disabled: boolean }) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const set = useMutation({
    mutationFn: (common: boolean) => call('setInterfaceCommon', { params: { interfaceId: one.id }, body: { common } }),
    onSettled: () => refresh('listMenus', 'listInterfaces'),
  });
  if (one.carried === 'public') return null;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={set.isPending ? set.variables : one.common}
        disabled={disabled || !one.changeable || set.isPending}
        aria-label={t('commonOf', { name: menuName(one, locale) })}
        onChange={(event) => set.mutate(event.target.checked)}
      />
      {t('everyone')}
    </label>
  );
}
