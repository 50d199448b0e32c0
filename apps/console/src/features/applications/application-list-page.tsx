import type { ApplicationRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../shared/ui/list-page/list-page.tsx';
import { LinkButton } from '../../shared/ui/page/link-button.tsx';
import { Emblem } from '../../shared/ui/pictures/stored-picture.tsx';
import { Dash, ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import { ApplicationActions } from './application-actions.tsx';
import { ApplicationState } from './application-state.tsx';

const STATES = ['enabled', 'disabled', 'expired', 'userMissing'] as const;
const SORTS = ['name', 'installedAt', 'lastUsedAt'] as const;
const filters = { search: 'text', applicationState: STATES } as const;
const SPEC: ListSpec<typeof filters, (typeof SORTS)[number]> = { filters, sorts: [...SORTS] };

/** The applications: who each of them acts for, and whether it works. */
export default function ApplicationListPage() {
  const { t } = useTranslation('applications');
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const mayAdd = usePermitted(['auth_application_add']);
  const mayOpen = usePermitted(['auth_application_detail']);
  const list = useList(SPEC, 'listApplications', (query) => ({ query }));
  const path = (id: number) => `/manage/system/application/detail/${id}`;
  const lastUsed = ({ lastUsedAt }: ApplicationRow) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : t('neverUsed'));
  const today = ({ callsToday, errorsToday }: ApplicationRow) =>
    errorsToday > 0 ? t('callsAndErrors', { calls: callsToday, errors: errorsToday }) : callsToday;

  const columns: DataColumn<ApplicationRow, (typeof SORTS)[number]>[] = [
    {
      name: 'name',
      always: true,
      title: t('name'),
      sortBy: 'name',
      render: (_, one) => {
        const shown = (
          <>
            <Emblem of={one.icon} name={one.name} size={20} />
            {one.name}
          </>
        );
        return mayOpen ? (
          <Link className="with-emblem" to={path(one.id)}>
            {shown}
          </Link>
        ) : (
          <span className="with-emblem">{shown}</span>
        );
      },
    },
    { name: 'status', title: t('status'), render: (_, one) => <ApplicationState state={one.state} /> },
    { name: 'user', title: t('boundUser'), render: (_, one) => one.boundUser?.userName ?? <Dash /> },
    { name: 'appId', title: t('appId'), render: (_, one) => <span className="mono">{one.appId}</span> },
    { name: 'lastUsed', title: t('lastUsed'), sortBy: 'lastUsedAt', render: (_, one) => lastUsed(one) },
    { name: 'today', title: t('callsToday'), align: 'end', render: (_, one) => today(one) },
    {
      name: 'installedAt',
      title: t('installedAt'),
      sortBy: 'installedAt',
      render: (_, one) => <ExactTime at={one.installedAt} />,
    },
  ];

  return (
    <ListPage
      title={routes('applicationList')}
      list={list}
      search={t('search')}
      filters={
        <FilterSelect
          label={t('status')}
          options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
          {...list.field('applicationState')}
        />
      }
      actions={
        mayAdd && (
          <LinkButton to="/manage/system/application/add" primary>
            {t('add')}
          </LinkButton>
        )
      }
      columns={columns}
      rowActions={(one) => <ApplicationActions application={one} />}
      keep="applications"
      onOpen={mayOpen ? (one) => navigate(path(one.id)) : undefined}
      empty={t('empty')}
      compact={(one) => (
        <ListCard title={one.name} aside={<ApplicationActions application={one} />}>
          <CardLine>{one.boundUser?.userName}</CardLine>
          <CardLine end={lastUsed(one)}>
            <ApplicationState state={one.state} />
          </CardLine>
        </ListCard>
      )}
    />
  );
}
