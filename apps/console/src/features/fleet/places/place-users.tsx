import type { PlaceUserRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { type DataColumn, DataTable } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Dash, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { PlaceState } from './place-state.tsx';
import './places.module.css';

const filters = {} as const;
const SPEC: ListSpec<typeof filters, 'userName'> = { filters, sorts: ['userName'] };

/** The users of a customer, or the administrators of a site. */
export function PlaceUsers({ of, id }: { of: 'listCustomerUsers' | 'listSiteAdministrators'; id: number }) {
  const { t } = useTranslation('places');
  const list = useList(SPEC, of, (query) => ({ params: { id }, query }));
  const ofSite = of === 'listSiteAdministrators';
  const roleNameOf = useRoleName();
  const columns: DataColumn<PlaceUserRow, 'userName'>[] = [
    { title: t('user.userName'), sortBy: 'userName', render: (_, user) => <strong>{user.userName}</strong> },
    { title: t('user.nickName'), render: (_, user) => user.nickName || <Dash /> },
    { title: t('user.role'), render: (_, user) => roleNameOf(user.roleName) ?? t('user.root') },
    ...(ofSite ? [{ title: t('customer'), render: (_: unknown, user: PlaceUserRow) => user.customerName }] : []),
    { title: t('user.email'), render: (_, user) => user.email ?? <Dash /> },
    { title: t('state'), render: (_, user) => <PlaceState enabled={user.enabled} /> },
    { title: t('user.lastSignIn'), render: (_, user) => <TimeAgo at={user.lastSignInAt} /> },
  ];
  return (
    <div className="stack">
      {ofSite && <p className="quiet">{t('site.administratorsHint')}</p>}
      <DataTable
        label={ofSite ? t('site.administrators') : t('customerTab.users')}
        list={list}
        columns={columns}
        empty={ofSite ? t('site.noAdministrators') : t('noUsers')}
        compact={(user) => (
          <ListCard title={user.userName} aside={<PlaceState enabled={user.enabled} />}>
            <CardLine>
              <span>{user.nickName}</span>
              <span>{roleNameOf(user.roleName) ?? t('user.root')}</span>
              <TimeAgo at={user.lastSignInAt} />
            </CardLine>
          </ListCard>
        )}
      />
    </div>
  );
}
