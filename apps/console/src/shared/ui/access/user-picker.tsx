import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOf } from '../../api/query.ts';
import { moreThan, PAGE, Picker, type PickerProps, useSearch } from '../list-page/pickers.tsx';

/** Selects a user. The server searches. The name of the selected one is read, wherever it is in the list. */
export function UserPicker(props: PickerProps) {
  const { value } = props;
  const search = useSearch();
  const users = useQuery({
    ...queryOf('listUsers', { query: { ...PAGE, sort: 'userName', search: search.wanted } }, { quiet: true }),
    enabled: search.needed,
    placeholderData: keepPreviousData,
  });
  const isListed = users.data?.items.some(({ id }) => id === value) ?? false;
  const one = useQuery({
    ...queryOf('readUser', { params: { id: value ?? 0 } }, { quiet: true }),
    enabled: value !== undefined && props.knownAs === undefined && !isListed,
  });
  const knownAs = props.knownAs ?? one.data?.userName ?? (one.isLoading ? '…' : undefined);
  const options = users.data?.items.map(({ id, userName, nickName }) => ({
    value: id,
    label: userName,
    note: nickName,
  }));
  const state = { knownAs, search, options, busy: users.isFetching, more: moreThan(users.data) };
  return <Picker {...props} {...state} />;
}
