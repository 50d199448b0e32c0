import { ISSUE_STATUSES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useLabelNames } from '../../../shared/i18n/use-label-names.ts';
import { FilterSelect } from '../../../shared/ui/list-page/filter-bar.tsx';
import { FilterCheck } from '../../../shared/ui/list-page/filter-check.tsx';
import { CustomerPicker, SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { IssueStatusTag, usePriorityOptions } from '../shared/issue-marks.tsx';
import { useTypeOptions } from '../shared/issue-names.ts';
import { type IssueList, QUICK_FILTERS } from './issue-list.ts';

/** The filters that people at work use most: their own issues, those of nobody, late ones. */
export function QuickFilters({ list }: { list: IssueList }) {
  const { t } = useTranslation('issues');
  return QUICK_FILTERS.map((name) => (
    <FilterCheck
      key={name}
      checked={list.query[name] === true}
      onChange={(checked) => list.change({ [name]: checked || undefined })}
    >
      {t(`filter.${name}`)}
    </FilterCheck>
  ));
}

/** The other filters of issues. The board has a column for each status. */
export function IssueFilters({ list, board }: { list: IssueList; board: boolean }) {
  const { t } = useTranslation('issues');
  const labels = useQuery(queryOf('listIssueLabels', {}, { quiet: true }));
  const { nameOf } = useLabelNames();
  const priorities = usePriorityOptions();
  const types = useTypeOptions();
  const { customerId, deviceId } = list.query;
  const inTab = list.query.tab === 'closed' || list.query.tab === undefined;
  return (
    <>
      {!board && !(inTab && list.query.tab === 'closed') && (
        <FilterSelect
          label={t('statusLabel')}
          options={ISSUE_STATUSES.filter((status) => !inTab || status !== 'closed').map((value) => ({
            value,
            label: <IssueStatusTag status={value} />,
          }))}
          {...list.field('status')}
        />
      )}
      <FilterSelect label={t('priorityLabel')} options={priorities} {...list.field('priority')} />
      <FilterSelect label={t('typeLabel')} options={types} {...list.field('type')} />
      <FilterSelect
        label={t('label')}
        options={labels.data?.items.map(({ name, count }) => ({ value: name, label: `${nameOf(name)} (${count})` }))}
        {...list.field('label')}
      />
      <CustomerPicker
        value={customerId}
        placeholder={t('customer')}
        onChange={(id) => list.change({ customerId: id, siteId: undefined })}
      />
      <SitePicker customerId={customerId} placeholder={t('site')} {...list.field('siteId')} />
      {deviceId !== undefined && <DeviceFilter id={deviceId} onClear={() => list.change({ deviceId: undefined })} />}
    </>
  );
}

/** The device of a list that was opened from its page. */
function DeviceFilter({ id, onClear }: { id: number; onClear(): void }) {
  const { t } = useTranslation('issues');
  const issues = useQuery(
    queryOf('listIssues', { query: { tab: 'all', deviceId: id, page: 1, pageSize: 10 } }, { quiet: true }),
  );
  const name = issues.data?.items.find(({ deviceName }) => deviceName !== null)?.deviceName;
  return (
    <span className="field-pair">
      {t('filter.device', { name: name ?? id })}
      <button type="button" className="text-button" onClick={onClear}>
        {t('filter.removeDevice')}
      </button>
    </span>
  );
}
