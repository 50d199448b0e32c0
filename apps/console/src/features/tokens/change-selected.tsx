import { isTokenValue, TOKEN_LENGTH } from '@chargehand/domain';
import { Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Answer, call, type InputOf } from '../../shared/api/client.ts';
import { queryClient } from '../../shared/api/query.ts';
import type { Selection } from '../../shared/hooks/lists/use-selection.ts';
import { instantOf } from '../../shared/lib/time/wall-time.ts';
import { DatePicker } from '../../shared/ui/date-picker.ts';
import type { BulkDialogProps } from '../../shared/ui/list/bulk-action.ts';
import BulkDialog from '../../shared/ui/list/bulk-dialog.tsx';
import { CustomerPicker, SitesPicker } from '../../shared/ui/list-page/pickers.tsx';
import { FormField } from '../../shared/ui/transfers/transfer-fields.tsx';

type Change = InputOf<'changeTokens'>['body'];
type Props = BulkDialogProps & { change: 'validUntil' | 'group' | 'sites' };

/** Sets the end, the group or the sites of the selected tokens. An empty field means no limit, no group or all sites. */
export default function ChangeSelected({ selection, onClose, change }: Props) {
  const { t } = useTranslation('tokens');
  const id = useId();
  const [until, setUntil] = useState<Dayjs | null>(null);
  const [group, setGroup] = useState('');
  const [customerId, setCustomerId] = useState(() => customerOf(selection));
  const [siteIds, setSiteIds] = useState<number[]>([]);
  const fields: Record<typeof change, { field: ReactNode; body: Partial<Change>; complete?: boolean }> = {
    validUntil: {
      field: (
        <DatePicker
          aria-label={t('validUntil')}
          value={until}
          onChange={(at) => setUntil(at ? dayjs(at) : null)}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          placeholder={t('always')}
        />
      ),
      body: { validUntil: until ? new Date(instantOf(until.format('YYYY-MM-DDTHH:mm'))).toISOString() : null },
    },
    group: {
      field: (
        <Input
          className="mono"
          aria-label={t('group')}
          value={group}
          onChange={({ target }) => setGroup(target.value)}
          maxLength={TOKEN_LENGTH}
          autoComplete="off"
          spellCheck={false}
        />
      ),
      body: { tokenGroup: group.trim() || null },
      complete: group.trim() === '' || isTokenValue(group.trim()),
    },
    sites: {
      field: (
        <>
          <FormField id={`${id}-customer`} label={t('customer')}>
            <CustomerPicker id={`${id}-customer`} value={customerId} onChange={setCustomerId} />
          </FormField>
          <FormField id={`${id}-sites`} label={t('sites')}>
            <SitesPicker
              id={`${id}-sites`}
              value={siteIds}
              onChange={setSiteIds}
              placeholder={t('allSites')}
              customerId={customerId}
            />
          </FormField>
        </>
      ),
      body: { siteIds },
    },
  };
  const { field, body, complete = true } = fields[change];
  return (
    <BulkDialog
      selection={selection}
      onClose={onClose}
      complete={complete}
      action={{
        ...{ key: change, label: t(`bulk.${change}`), text: t(`bulkText.${change}`) },
        refreshes: ['listTokens', 'listDeviceTokenLists'],
        run: (ids) => call('changeTokens', { body: { ids, tokenChange: change, ...body } }, { quiet: true }),
      }}
    >
      {field}
    </BulkDialog>
  );
}

/** The customer of the selected tokens if all of them were shown and belong to one customer. */
function customerOf({ names }: Selection): number | undefined {
  const shown = queryClient.getQueriesData<Answer<'listTokens'>>({ queryKey: ['listTokens'] });
  const customers = new Map(
    shown.flatMap(([, list]) => list?.items ?? []).map(({ id, customerId }) => [id, customerId]),
  );
  const [first, ...others] = new Set([...names.keys()].map((id) => customers.get(id)));
  return others.length === 0 ? first : undefined;
}
