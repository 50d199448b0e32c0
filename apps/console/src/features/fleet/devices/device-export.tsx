import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';
import { type DeviceList, filtersOf } from './device-list.ts';

/** The whole list, filtered and sorted as on screen, as a spreadsheet. */
export function DeviceExport({ query, disabled }: { query: DeviceList['query']; disabled: boolean }) {
  const { t } = useTranslation('fleet');
  const fetching = useMutation({
    mutationFn: () => download('exportDevices', { query: { sort: query.sort, ...filtersOf(query) } }),
  });
  return (
    <Button
      icon={<DownloadOutlined aria-hidden="true" />}
      loading={fetching.isPending}
      disabled={disabled}
      onClick={() => fetching.mutate()}
    >
      {t('list.export')}
    </Button>
  );
}
