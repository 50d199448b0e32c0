import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../api/query.ts';
import { useTyped } from '../../hooks/use-typed.ts';
import { useModelName } from '../../i18n/use-model-name.ts';
import { useRoleName } from '../../i18n/use-role-name.ts';
import { LateSelect } from '../late/late-select.tsx';
import './pickers.css';

export interface PickerProps {
  /** set by a surrounding form item */
  id?: string;
  value?: number | undefined;
  onChange?: (id: number | undefined) => void;
  placeholder?: string;
  /** the name of the value before it is loaded, if known */
  knownAs?: string | undefined;
  clearable?: boolean;
}

/** What a picker loads of a list. */
export const PAGE = { page: 1, pageSize: 50 } as const;

/** Selects a site. The server searches. With a customer, only its sites. */
export function SitePicker({ customerId, ...props }: PickerProps & { customerId?: number | undefined }) {
  const search = useSearch();
  const sites = useQuery({
    ...queryOf('listSites', { query: { ...PAGE, sort: 'name', search: search.wanted, customerId } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const missing = missingOf(props, search, sites.data?.items);
  const one = useQuery({
    ...queryOf('listSites', { query: { ...PAGE, id: missing } }),
    enabled: missing !== undefined,
  });
  const options = found(missing, one.data, sites.data)?.map(({ id, name, code }) => ({
    value: id,
    label: name,
    note: code,
  }));
  return <Picker {...props} search={search} options={options} busy={sites.isFetching} more={moreThan(sites.data)} />;
}

/** Selects a customer. The server searches. */
export function CustomerPicker(props: PickerProps) {
  const search = useSearch();
  const customers = useQuery({
    ...queryOf('listCustomers', { query: { ...PAGE, sort: 'name', search: search.wanted } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const missing = missingOf(props, search, customers.data?.items);
  const one = useQuery({
    ...queryOf('listCustomers', { query: { ...PAGE, id: missing } }),
    enabled: missing !== undefined,
  });
  const options = found(missing, one.data, customers.data)?.map(({ id, name, code }) => ({
    value: id,
    label: name,
    note: code,
  }));
  return (
    <Picker {...props} search={search} options={options} busy={customers.isFetching} more={moreThan(customers.data)} />
  );
}

/** Selects a device by its name or SN. The server searches. With a site, only its devices. */
export function DevicePicker({ siteId, ...props }: PickerProps & { siteId?: number | undefined }) {
  const search = useSearch();
  const devices = useQuery({
    ...queryOf('listDevices', { query: { ...PAGE, sort: 'name', search: search.wanted, siteId } }, { quiet: true }),
    enabled: search.needed,
    placeholderData: keepPreviousData,
  });
  const options = devices.data?.items.map(({ id, name, sn }) => ({ value: id, label: name, note: sn }));
  return (
    <Picker {...props} search={search} options={options} busy={devices.isFetching} more={moreThan(devices.data)} />
  );
}

/** Selects a device model. The server searches. */
export function ModelPicker(props: PickerProps) {
  const search = useSearch();
  const modelName = useModelName();
  const models = useQuery({
    ...queryOf('listDeviceModels', { query: { ...PAGE, sort: 'name', search: search.wanted } }),
    enabled: search.needed || props.value !== undefined,
    placeholderData: keepPreviousData,
  });
  const missing = missingOf(props, search, models.data?.items);
  const one = useQuery({
    ...queryOf('listDeviceModels', { query: { ...PAGE, id: missing } }),
    enabled: missing !== undefined,
  });
  const options = found(missing, one.data, models.data)?.map(({ id, name, vendor }) => ({
    value: id,
    label: modelName(name),
    note: vendor,
  }));
  return <Picker {...props} search={search} options={options} busy={models.isFetching} more={moreThan(models.data)} />;
}

/** Selects a role that the user may assign. */
export function RolePicker(props: PickerProps) {
  const search = useSearch();
  const roleNameOf = useRoleName();
  const roles = useQuery({ ...queryOf('listRoleChoices', {}), enabled: search.needed || props.value !== undefined });
  const options = roles.data?.items
    .map(({ id, name }) => ({ value: id, label: roleNameOf(name), note: '' }))
    .filter(({ label }) => label.toLowerCase().includes((search.wanted ?? '').toLowerCase()));
  return <Picker {...props} search={search} options={options} busy={roles.isFetching} more={0} />;
}

/**
 * Selects sites of one customer. The server searches. Chosen sites are shown by name, wherever they are in the list. With
 * `onCustomer`, the first site decides about the customer.
 */
export function SitesPicker(props: {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
  placeholder: string;
  customerId: number | undefined;
  onCustomer?: (id: number) => void;
  /** the names of the first value, so that they are not fetched; a site without one was deleted */
  known?: readonly { id: number; name: string }[];
}) {
  const { t } = useTranslation();
  const { customerId, onCustomer, known, value = [], onChange } = props;
  const anywhere = customerId === undefined && onCustomer !== undefined;
  const search = useSearch();
  const [names, setNames] = useState<ReadonlyMap<number, string>>(
    () => new Map(known?.map(({ id, name }) => [id, name])),
  );
  const sites = useQuery({
    ...queryOf('listSites', { query: { ...PAGE, sort: 'name', search: search.wanted, customerId } }),
    // Chosen sites need their names.
    enabled: (anywhere || customerId !== undefined) && (search.needed || value.length > 0),
    placeholderData: keepPreviousData,
  });
  const found = sites.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const others = value.filter((id) => !found.some((one) => one.value === id));
  const unnamed = others.filter((id) => !names.has(id));
  const fetched = useQueries({
    queries: unnamed.map((id) => ({
      ...queryOf('listSites', { query: { ...PAGE, id } }, { quiet: true }),
      enabled: known === undefined && sites.data !== undefined,
    })),
  });
  const labelOf = (id: number) => {
    const name = names.get(id);
    const one = fetched[unnamed.indexOf(id)];
    if (name !== undefined || known !== undefined || !one) return name ?? t('siteDeleted');
    if (one.isPending) return '…';
    return one.isError ? String(id) : (one.data.items[0]?.name ?? t('siteDeleted'));
  };
  return (
    <LateSelect<number[], { value: number; label: string }>
      id={props.id}
      mode="multiple"
      allowClear
      disabled={customerId === undefined && !anywhere}
      showSearch={{ filterOption: false, searchValue: search.text, onSearch: search.type }}
      value={value}
      placeholder={props.placeholder}
      onOpenChange={search.open}
      options={[...others.map((id) => ({ value: id, label: labelOf(id) })), ...found]}
      onChange={(ids) => {
        setNames(new Map([...names, ...found.map((one): [number, string] => [one.value, one.label])]));
        const first = anywhere && sites.data?.items.find(({ id }) => ids.includes(id));
        if (first) onCustomer(first.customerId);
        onChange?.(ids);
      }}
    />
  );
}

interface Option {
  value: number;
  label: string;
  note: string;
}

/** The field of a picker. */
export function Picker(
  props: PickerProps & { search: Search; options: Option[] | undefined; busy: boolean; more: number },
) {
  const { t } = useTranslation();
  const { search, options = [], value, knownAs, clearable = true } = props;
  const known = knownAs !== undefined && value !== undefined && !options.some((option) => option.value === value);
  const all = known ? [{ value, label: knownAs, note: '' }, ...options] : options;
  return (
    <LateSelect<number, Option>
      id={props.id}
      allowClear={clearable}
      showSearch={{ filterOption: false, searchValue: search.text, onSearch: search.type }}
      value={value}
      placeholder={props.placeholder}
      // Inside a form, the label of the form item names the field.
      {...(props.id === undefined && { 'aria-label': props.placeholder })}
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

/** The text typed into a picker, and whether its list must be loaded. */
export function useSearch(): Search {
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

/** The selected row when it is not among the options and its name is unknown. */
function missingOf(
  { value, knownAs }: PickerProps,
  { wanted }: Search,
  items: readonly { id: number }[] | undefined,
): number | undefined {
  if (value === undefined || knownAs !== undefined || wanted !== undefined || !items) return undefined;
  return items.some(({ id }) => id === value) ? undefined : value;
}

/** The options, after the selected row if it is not among them. */
function found<R>(missing: number | undefined, one: { items: R[] } | undefined, all: { items: R[] } | undefined) {
  return missing === undefined || !one ? all?.items : [...one.items, ...(all?.items ?? [])];
}

/** How many entries the list does not have. */
export function moreThan(data: { items: unknown[]; total: number } | undefined): number {
  return data ? Math.max(0, data.total - data.items.length) : 0;
}
