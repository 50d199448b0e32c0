import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { queryOf } from '../../shared/api/query.ts';
import { useTyped } from '../../shared/hooks/use-typed.ts';

const PAGE = { page: 1, pageSize: 50 } as const;

interface Props {
  id?: string;
  value?: number | undefined;
  onChange?: (id: number | undefined) => void;
  placeholder: string;
  /** what the value is called before the server has been asked */
  knownAs?: string | undefined;
  clearable?: boolean;
}

/** Chooses a customer in scope; the server searches. */
export function CustomerChoice({ id, value, onChange, placeholder, knownAs, clearable = true }: Props) {
  const [wanted, setWanted] = useState('');
  const typed = useTyped(wanted, setWanted);
  const customers = useQuery({
    ...queryOf('listCustomers', { query: { ...PAGE, sort: 'name', search: wanted || undefined } }),
    placeholderData: keepPreviousData,
  });
  const found = customers.data?.items.map((one) => ({ value: one.id, label: one.name })) ?? [];
  const known = knownAs !== undefined && value !== undefined && !found.some((one) => one.value === value);
  return (
    <Select
      id={id}
      allowClear={clearable}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={value}
      placeholder={placeholder}
      // Inside a form its label names the field.
      {...(id === undefined ? { 'aria-label': placeholder } : {})}
      popupMatchSelectWidth={false}
      options={known ? [{ value, label: knownAs }, ...found] : found}
      onChange={(next: number | undefined) => onChange?.(next)}
    />
  );
}

/** Chooses one of the roles that the reader may hand out. */
export function RoleChoice({ id, value, onChange, placeholder, knownAs, clearable = true }: Props) {
  const roles = useQuery(queryOf('listRoleChoices', {}));
  const found = roles.data?.items.map((role) => ({ value: role.id, label: role.name })) ?? [];
  const known = knownAs !== undefined && value !== undefined && !found.some((one) => one.value === value);
  return (
    <Select
      id={id}
      allowClear={clearable}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      placeholder={placeholder}
      // Inside a form its label names the field.
      {...(id === undefined ? { 'aria-label': placeholder } : {})}
      popupMatchSelectWidth={false}
      options={known ? [{ value, label: knownAs }, ...found] : found}
      onChange={(next: number | undefined) => onChange?.(next)}
    />
  );
}

/** Chooses sites of a customer; the server searches. */
export function SitesChoice(props: {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
  placeholder: string;
  customerId: number | undefined;
}) {
  const { customerId, onChange } = props;
  const [wanted, setWanted] = useState('');
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const typed = useTyped(wanted, setWanted);
  const sites = useQuery({
    ...queryOf('listSites', { query: { ...PAGE, sort: 'name', search: wanted || undefined, customerId } }),
    enabled: customerId !== undefined,
    placeholderData: keepPreviousData,
  });
  const found = sites.data?.items.map((one) => ({ value: one.id, label: one.name })) ?? [];
  const chosen = (props.value ?? []).filter((id) => !found.some((one) => one.value === id));
  return (
    <Select<number[], { value: number; label: string }>
      id={props.id}
      mode="multiple"
      allowClear
      disabled={customerId === undefined}
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={props.value ?? []}
      placeholder={props.placeholder}
      options={[...chosen.map((id) => ({ value: id, label: names.get(id) ?? String(id) })), ...found]}
      onChange={(ids) => {
        setNames(new Map([...names, ...found.map((one): [number, string] => [one.value, one.label])]));
        onChange?.(ids);
      }}
    />
  );
}
