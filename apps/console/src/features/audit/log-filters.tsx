import { Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTyped } from '../../shared/hooks/use-typed.ts';
import { instantOf } from '../../shared/lib/wall-time.ts';
import { CustomerPicker } from '../../shared/ui/pickers.tsx';

/** What every log can be narrowed by: who, of which customer, and when (wall times of the fleet's zone). */
export interface CommonFilters {
  userName?: string | undefined;
  customerId?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The same as the contract's calls take them; a time that is none is left out. */
export function calledWith({ userName, customerId, from, to }: CommonFilters) {
  return { userName, customerId, from: timeOf(from), to: timeOf(to) };
}

/** The filters of a log, kept in the address: who and when, around what else the log can be narrowed by. */
export function LogFilters(props: {
  filters: CommonFilters;
  filtered: boolean;
  change(change: CommonFilters): void;
  clear(): void;
  children?: ReactNode;
}) {
  const { filters, filtered, change, clear, children } = props;
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const typed = useTyped(filters.userName ?? '', (text) => change({ userName: text || undefined }));
  const time = (name: 'from' | 'to') => (
    <input
      type="datetime-local"
      className="time-input"
      aria-label={t(`frame.${name}`)}
      title={t(`frame.${name}`)}
      value={filters[name] ?? ''}
      onChange={(event) => change({ [name]: event.target.value || undefined })}
    />
  );
  return (
    <search className="log-filters" aria-label={t('log.filters')}>
      <Input
        className="log-name"
        allowClear
        value={typed.text}
        placeholder={t('log.userBeginning')}
        aria-label={t('log.user')}
        onChange={(event) => typed.type(event.target.value)}
        onPressEnter={() => typed.settleNow(typed.text)}
      />
      {children}
      <CustomerPicker
        value={filters.customerId}
        placeholder={t('log.customer')}
        onChange={(customerId) => change({ customerId })}
      />
      <span className="log-times">
        {time('from')}
        {'–'}
        {time('to')}
      </span>
      {filtered && (
        <button type="button" className="text-button" onClick={clear}>
          {common('table.clear')}
        </button>
      )}
    </search>
  );
}

function timeOf(wallTime: string | undefined): string | undefined {
  const at = instantOf(wallTime ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
