import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';

interface PickerProps {
  /** given by a form item that surrounds it */
  id?: string;
  value?: number | undefined;
  onChange?: (id: number | undefined) => void;
  placeholder?: string;
  /** what the value is called before the server has been asked, where that is known */
  knownAs?: string | undefined;
  clearable?: boolean;
}

const PAGE = { page: 1, pageSize: 50 } as const;

/** Chooses a site; the server searches. With a customer, only that one's sites. */
export function SitePicker({ customerId, ...props }: PickerProps & { customerId?: number | undefined }) {
  const search = useSearch();
  const sites = useQuery({
    ...queryOf('listSites', { query: { ...PAGE, sort: 'name', search: search.wanted, customerId } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const options = sites.data?.items.map(({ id, name, code }) => ({ value: id, label: name, note: code }));
  return <Picker {...props} search={search} options={options} busy={sites.isFetching} more={moreThan(sites.data)} />;
}

/** Chooses a customer; the server searches. */
export function CustomerPicker(props: PickerProps) {
  const search = useSearch();
  const customers = useQuery({
    ...queryOf('listCustomers', { query: { ...PAGE, sort: 'name', search: search.wanted } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const options = customers.data?.items.map(({ id, name, code }) => ({ value: id, label: name, note: code }));
  return (
    <Picker {...props} search={search} options={options} busy={customers.isFetching} more={moreThan(customers.data)} />
  );
}

/** Chooses a device model; the server searches. */
export function ModelPicker(props: PickerProps) {
  const search = useSearch();
  const models = useQuery({
    ...queryOf('listDeviceModels', { query: { ...PAGE, sort: 'name', search: search.wanted } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const options = models.data?.items.map(({ id, name, vendor }) => ({ value: id, label: name, note: vendor }));
  return <Picker {...props} search={search} options={options} busy={models.isFetching} more={moreThan(models.data)} />;
}

interface Option {
  value: number;
  label: string;
  note: string;
}

function Picker(props: PickerProps & { search: Search; options: Option[] | undefined; busy: boolean; more: number }) {
  const { t } = useTranslation('fleet');
  const { search, options = [], value, knownAs, clearable = true } = props;
  const known = knownAs !== undefined && value !== undefined && !options.some((option) => option.value === value);
  const all = known ? [{ value, label: knownAs, note: '' }, ...options] : options;
  return (
    <Select<number, Option>
      id={props.id}
      allowClear={clearable}
      showSearch={{ filterOption: false, searchValue: search.text, onSearch: search.type }}
      value={value}
      placeholder={props.placeholder}
      aria-label={props.placeholder}
      loading={props.busy && search.needed}
      options={all}
      popupMatchSelectWidth={false}
      onOpenChange={search.open}
      onChange={(id) => props.onChange?.(id)}
      optionRender={({ data }) => (
        <span className="picker-option">
          <span>{data.label}</span>
          {data.note && <span className="quiet">{data.note}</span>}
        </span>
      )}
      popupRender={(menu) => (
        <>
          {menu}
          {props.more > 0 && <p className="picker-more">{t('pickerMore', { count: props.more })}</p>}
        </>
      )}
    />
  );
}

interface Search {
  text: string;
  wanted: string | undefined;
  needed: boolean;
  type(text: string): void;
  open(isOpen: boolean): void;
}

/** What is typed into a picker, and whether its list is wanted at all. */
function useSearch(): Search {
  const [wanted, setWanted] = useState('');
  const [needed, setNeeded] = useState(false);
  const typed = useTyped(wanted, setWanted);
  return {
    text: typed.text,
    wanted: wanted || undefined,
    needed,
    type: typed.type,
    open(isOpen) {
      setNeeded((before) => before || isOpen);
      if (!isOpen) typed.settleNow('');
    },
  };
}

function moreThan(data: { items: unknown[]; total: number } | undefined): number {
  return data ? Math.max(0, data.total - data.items.length) : 0;
}
