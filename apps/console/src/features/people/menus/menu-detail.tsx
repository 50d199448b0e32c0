import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import type { MenuRow } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { AttachDialog, DeleteMenuDialog, MoveMenuDialog } from './menu-dialogs.tsx';
import css from './menus.module.css';
import { type Place, stepPlace } from './place.ts';

/** The same value as in menus.css. */
const NARROW = '(max-width: 900px)';

interface Props {
  menu: MenuRow;
  menus: readonly MenuRow[];
  onMove(key: string, place: Place): Promise<void>;
  onDeleted(): void;
}

/** A menu: its names, its position, the roles that have it, and its interfaces. */
export function MenuDetail({ menu, menus, onMove, onDeleted }: Props) {
  const { t } = useTranslation('menus');
  const locale = useLocale();
  const { user } = useUser();
  const [dialog, setDialog] = useState<'move' | 'delete' | 'attach' | null>(null);
  const changeable = menu.changeable && !user.readOnly;
  const up = stepPlace(menus, menu.key, -1);
  const down = stepPlace(menus, menu.key, 1);
  // The error was shown. The list is fetched again, because somebody else may have changed it first.
  const step = (place: Place) => void onMove(menu.key, place).catch(() => refresh('listMenus'));
  const detach = useMutation({
    mutationFn: (id: string) => call('setMenuInterfaces', { params: { key: menu.key }, body: { detach: [id] } }),
    onSuccess: () => refresh('listMenus', 'listInterfaces'),
  });
  const close = () => setDialog(null);
  // In the stacked layout the tree is long, so the selected menu is scrolled into view.
  const detail = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (matchMedia(NARROW).matches) detail.current?.scrollIntoView({ block: 'center' });
  }, []);

  return (
    <div className="stack" ref={detail}>
      {!menu.changeable && <p className="warning-note">{t('beyond')}</p>}
      <Panel
        title={menuName(menu, locale)}
        extra={
          <span className="field-row">
            <Button
              size="small"
              icon={<ArrowUpOutlined aria-hidden="true" />}
              disabled={!changeable || !up}
              onClick={() => up && step(up)}
            >
              {t('up')}
            </Button>
            <Button
              size="small"
              icon={<ArrowDownOutlined aria-hidden="true" />}
              disabled={!changeable || !down}
              onClick={() => down && step(down)}
            >
              {t('down')}
            </Button>
            <Button size="small" disabled={!changeable} onClick={() => setDialog('move')}>
              {t('moveTo')}
            </Button>
            {!menu.builtIn && (
              <Button size="small" danger disabled={!changeable} onClick={() => setDialog('delete')}>
                {t('delete')}
              </Button>
            )}
          </span>
        }
      >
        <MenuForm menu={menu} changeable={changeable} />
      </Panel>
      <Panel
        title={t('carries', { count: menu.interfaces.length })}
        extra={
          <Button size="small" disabled={!changeable} onClick={() => setDialog('attach')}>
            {t('attach')}
          </Button>
        }
      >
        {menu.interfaces.length === 0 ? (
          <EmptyState text={t('carriesNone')} />
        ) : (
          <ul className="menu-interfaces">
            {menu.interfaces.map((one) => (
              <li key={one.id}>
                <span>
                  {menuName(one, locale)}
                  <code>
                    {one.method} {one.url}
                  </code>
                </span>
                <Button
                  size="small"
                  type="text"
                  disabled={!changeable || detach.isPending}
                  aria-label={t('detachOf', { name: menuName(one, locale) })}
                  onClick={() => detach.mutate(one.id)}
                >
                  {t('detach')}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <p className={`quiet ${css.menusNote}`}>{t('atOnce')}</p>
      </Panel>
      {dialog === 'move' && <MoveMenuDialog menu={menu} menus={menus} onClose={close} />}
      {dialog === 'attach' && <AttachDialog menu={menu} onClose={close} />}
      {dialog === 'delete' && <DeleteMenuDialog menu={menu} onDeleted={onDeleted} onClose={close} />}
    </div>
  );
}

type Entered = Partial<Pick<MenuRow, 'nameEn' | 'nameZh' | 'url' | 'common'>>;

function MenuForm({ menu, changeable }: { menu: MenuRow; changeable: boolean }) {
  const { t } = useTranslation('menus');
  const id = useId();
  const locale = useLocale();
  // Only changed fields are saved, so that changes by others to the other fields are kept.
  const [entered, setEntered] = useState<Entered>({});
  const values = { ...menu, ...entered };
  const edits: Entered = Object.fromEntries(
    Object.entries(entered).filter(([name, value]) => value !== menu[name as keyof Entered]),
  );
  const save = useMutation({
    mutationFn: () => call('updateMenu', { params: { key: menu.key }, body: edits }, { quiet: true }),
    onSuccess: async () => {
      toast.success(t('saved', { name: menuName(values, locale) }));
      await refresh('listMenus', 'listInterfaces');
      setEntered({});
    },
  });
  const text = (name: 'nameEn' | 'nameZh' | 'url', label: string, limit: number, hint?: string) => (
    <div className="menu-field">
      <label htmlFor={`${id}${name}`}>{label}</label>
      <Input
        id={`${id}${name}`}
        value={values[name]}
        maxLength={limit}
        disabled={!changeable}
        placeholder={hint}
        autoComplete="off"
        onChange={(event) => setEntered({ ...entered, [name]: event.target.value })}
      />
    </div>
  );
  return (
    <form
      className={css.menuForm}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {text('nameEn', t('nameEn'), 64)}
      {text('nameZh', t('nameZh'), 64)}
      {text('url', t('url'), 200, '/manage/…')}
      <div className="menu-field">
        <span>{t('key')}</span>
        <span>
          <code>{menu.key}</code> {menu.builtIn && <span className="quiet">{t('builtIn')}</span>}
        </span>
      </div>
      <div className="menu-field">
        <span>{t('heldBy')}</span>
        <span>{values.common ? t('heldByAll') : t('roleCount', { count: menu.roles })}</span>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={values.common}
          disabled={!changeable}
          onChange={(event) => setEntered({ ...entered, common: event.target.checked })}
        />
        {t('common')}
      </label>
      {save.error instanceof ApiProblem && (
        <p className="error-note" role="alert">
          {save.error.message}
        </p>
      )}
      <div>
        <Button
          type="primary"
          htmlType="submit"
          disabled={!changeable || Object.keys(edits).length === 0}
          loading={save.isPending}
        >
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
