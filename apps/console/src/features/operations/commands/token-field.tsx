import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AutoComplete } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';

/** The longest identifier of a remote start (OCPP 1.6, CiString20Type). */
const LENGTH = 20;

/** The token of a remote start: one of the list, by its value or holder, or any other. */
export function TokenField(props: { id: string; value: string; onChange(value: string): void }) {
  const { t } = useTranslation('operations');
  const reads = usePermitted(['auth_token']);
  const [open, setOpen] = useState(false);
  const search = props.value.trim();
  const tokens = useQuery({
    ...queryOf(
      'listTokens',
      { body: { page: 1, pageSize: 20, tokenState: 'valid', ...(search ? { search } : {}) } },
      { quiet: true },
    ),
    enabled: reads && open,
    placeholderData: keepPreviousData,
  });
  const options = (tokens.data?.items ?? [])
    .filter(({ masked, value }) => !masked && value.length <= LENGTH)
    .map(({ value, holder }) => ({
      value,
      label: (
        <span>
          <span className="mono">{value}</span> <span className="quiet">{holder}</span>
        </span>
      ),
    }));
  return (
    <AutoComplete
      id={props.id}
      value={props.value}
      options={options}
      maxLength={LENGTH}
      placeholder={t('idTag.hint')}
      onOpenChange={setOpen}
      onChange={(value: string) => props.onChange(value.trim())}
    />
  );
}
