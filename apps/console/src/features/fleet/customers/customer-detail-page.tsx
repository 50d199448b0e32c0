import { POLL_MS } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Describe } from '../../../shared/ui/describe.tsx';
import { ErrorState } from '../../../shared/ui/error-state.tsx';
import { Panel } from '../../../shared/ui/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx';
import { OpenedPicture } from '../../../shared/ui/stored-picture.tsx';
import { ExactTime } from '../../../shared/ui/time-ago.tsx';
import { AlarmCounts } from '../places/alarm-counts.tsx';
import { PlaceUsers } from '../places/place-users.tsx';
import { StatusCounts } from '../places/status-counts.tsx';
import { CustomerSites } from '../sites/site-table.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerMarks } from './customer-marks.tsx';
import '../detail/detail.css';

/** One customer: base data, how its devices stand, its sites and its users. */
export default function CustomerDetailPage() {
  const { t } = useTranslation('places');
  const params = useParams();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const maySites = usePermitted(['auth_site_list']);
  const mayDevices = usePermitted(['auth_device_list']);
  const id = Number(params.id);
  const customer = useQuery({
    ...queryOf('readCustomer', { params: { id } }, { quiet: true }),
    enabled: id > 0,
    refetchInterval: POLL_MS,
  });
  useTabLabel(customer.data?.name);

  if (!customer.data) {
    return (
      <div className="page">
        {customer.isError || !(id > 0) ? (
          <ErrorState error={customer.error} onRetry={() => void customer.refetch()} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </div>
    );
  }

  const { data } = customer;
  const tabs = [
    {
      key: 'overview',
      label: t('customerTab.overview'),
      children: (
        <div className="stack">
          <StatusCounts total={data.deviceCount} byStatus={data.byStatus} filter={`customerId=${id}`} />
          <AlarmCounts
            byLevel={data.alarmsByLevel}
            to={(level) => (mayDevices && level === null ? `/manage/device/list?customerId=${id}&alarm=active` : null)}
          />
          <Panel title={t('baseInfo')}>
            {data.logo && (
              <OpenedPicture of={data.logo} alt={t('logoOf', { name: data.name })} width={240} height={120} />
            )}
            <Describe
              items={[
                { key: 'name', label: t('name'), value: data.name },
                { key: 'code', label: t('code'), value: <span className="mono">{data.code}</span> },
                { key: 'contact', label: t('contact'), value: data.contact },
                { key: 'region', label: t('region.label'), value: data.regionName },
                { key: 'address', label: t('address'), value: data.address },
                { key: 'sites', label: t('sites'), value: counted(data.siteCount, maySites && '?tab=sites') },
                {
                  key: 'devices',
                  label: t('devices'),
                  value: counted(data.deviceCount, mayDevices && `/manage/device/list?customerId=${id}`),
                },
                { key: 'users', label: t('users'), value: counted(data.userCount, data.may.seeUsers && '?tab=users') },
                { key: 'created', label: t('created'), value: <ExactTime at={data.createdAt} /> },
              ]}
            />
          </Panel>
        </div>
      ),
    },
    ...(maySites ? [{ key: 'sites', label: t('sites'), children: <CustomerSites customerId={id} /> }] : []),
    ...(data.may.seeUsers
      ? [{ key: 'users', label: t('customerTab.users'), children: <PlaceUsers of="listCustomerUsers" id={id} /> }]
      : []),
  ];
  const tab = tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0]!;

  return (
    <div className="device-page place-page">
      <header className="headline" data-status={data.enabled ? undefined : 'disabled'}>
        <div className="headline-top">
          <h1>{data.name}</h1>
          <CustomerMarks customer={data} />
          <div className="headline-actions">
            <CustomerActions
              customer={data}
              may={data.may}
              onDeleted={() => navigate('/manage/customer/list', { replace: true })}
            />
          </div>
        </div>
      </header>
      <Tabs
        className="device-tabs"
        activeKey={tab.key}
        onChange={(key) => setSearch({ tab: key }, { replace: true })}
        destroyOnHidden
        items={tabs}
      />
    </div>
  );
}

/** A count that leads to what it counts, for those who may go there. */
function counted(count: number | null, to: string | false) {
  return to === false || count === null ? count : <Link to={to}>{count.toLocaleString('en-US')}</Link>;
}
