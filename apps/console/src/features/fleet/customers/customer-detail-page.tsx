import type { CustomerDetail } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { CUSTOMER } from '@chargehand/contract/customer';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DetailPage, Headline, TabbedPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { OpenedPicture } from '../../../shared/ui/pictures/stored-picture.tsx';
import { useFacts } from '../../../shared/ui/resource/facts.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { AlarmCounts } from '../places/alarm-counts.tsx';
import { PlaceUsers } from '../places/place-users.tsx';
import { StatusCounts } from '../places/status-counts.tsx';
import { CustomerSites } from '../sites/site-table.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerMarks } from './customer-marks.tsx';
import '../detail/detail.module.css';

/** The parts of the page from other features, which the application provides. */
export interface CustomerParts {
  issues: ComponentType<{ customerId: number }>;
  onCall: ComponentType<{ customerId: number; siteId: null }>;
  /** who may charge */
  tokens: ComponentType<{ place: 'customer' | 'site' | 'device'; id: number }>;
  /** the rules for remote links */
  links: ComponentType<{ customerId: number; mayEdit: boolean }>;
}

/** A customer: basic data, device status, sites, users, issues and who is on duty. */
export function CustomerDetailPage({ parts }: { parts: CustomerParts }) {
  const id = Number(useParams().id);
  return (
    <DetailPage read="readCustomer" input={{ params: { id } }} refetchInterval={POLL_MS} nameOf={({ name }) => name}>
      {(customer) => <Shown customer={customer} parts={parts} />}
    </DetailPage>
  );
}

function Shown({ customer: data, parts }: { customer: CustomerDetail; parts: CustomerParts }) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const maySites = usePermitted(['auth_site_list']);
  const mayDevices = usePermitted(['auth_device_list']);
  const seesIssues = usePermitted(['auth_issue_list']);
  const seesOnCall = usePermitted(['auth_message_list', 'auth_message_on_call']);
  const { id } = data;
  const { name, code, issuePrefix, contact, address, ...others } = useFacts(CUSTOMER.fields, data);
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
                name,
                { ...code, value: <span className="mono">{data.code}</span> },
                { ...issuePrefix, value: <span className="mono">{data.issuePrefix}</span> },
                contact,
                { key: 'region', label: t('region.label'), value: data.regionName },
                address,
                ...Object.values(others),
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
    maySites && { key: 'sites', label: t('sites'), children: <CustomerSites customerId={id} /> },
    data.may.seeUsers && {
      key: 'users',
      label: t('customerTab.users'),
      children: <PlaceUsers of="listCustomerUsers" id={id} />,
    },
    seesIssues && {
      key: 'issues',
      label: t('issues'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <parts.issues customerId={id} />
        </Suspense>
      ),
    },
    seesOnCall && {
      key: 'onCall',
      label: t('onCall'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <parts.onCall customerId={id} siteId={null} />
        </Suspense>
      ),
    },
    {
      key: 'tokens',
      label: t('siteTab.tokens'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <parts.tokens place="customer" id={id} />
        </Suspense>
      ),
    },
    {
      key: 'links',
      label: t('customerTab.links'),
      children: (
        <Suspense fallback={<SkeletonRows rows={6} />}>
          <parts.links customerId={id} mayEdit={data.may.edit} />
        </Suspense>
      ),
    },
  ];
  return (
    <TabbedPage
      headline={
        <Headline
          title={data.name}
          status={data.enabled ? undefined : 'disabled'}
          marks={<CustomerMarks customer={data} />}
          actions={
            <CustomerActions
              customer={data}
              may={data.may}
              onDeleted={() => navigate('/manage/customer/list', { replace: true })}
            />
          }
        />
      }
      tabs={tabs}
    />
  );
}

/** A count with a link to its list, for users who may open it. */
function counted(count: number | null, to: string | false) {
  return to === false || count === null ? count : <Link to={to}>{count.toLocaleString('en-US')}</Link>;
}
