import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { List } from '../../shared/hooks/lists/use-list-query.ts';
import { FilterText, FilterTimes } from '../../shared/ui/list-page/filter-inputs.tsx';
import { CustomerPicker } from '../../shared/ui/list-page/pickers.tsx';

/** The filters of every log: user, customer, and time. */
export const LOG_FILTERS = { userName: 'text', customerId: 'number', from: 'time', to: 'time' } as const;

/** The filters of every log, together with those of a single log. */
export function LogFilters({
  list,
  children,
}: {
  list: Pick<List<typeof LOG_FILTERS, never>, 'field'>;
  children?: ReactNode;
}) {
  const { t } = useTranslation('audit');
  return (
    <>
      <FilterText label={t('log.user')} placeholder={t('log.userBeginning')} {...list.field('userName')} />
      {children}
      <CustomerPicker placeholder={t('log.customer')} {...list.field('customerId')} />
      <FilterTimes labels={[t('frame.from'), t('frame.to')]} from={list.field('from')} to={list.field('to')} />
    </>
  );
}
