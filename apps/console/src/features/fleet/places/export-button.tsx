import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';

/** Fetches the whole list, filtered and sorted as on screen, as a spreadsheet. */
export function ExportButton({ fetch, disabled }: { fetch(): Promise<void>; disabled: boolean }) {
  const { t } = useTranslation('places');
  const fetching = useMutation({ mutationFn: fetch });
  return (
    <Button
      icon={<DownloadOutlined aria-hidden="true" />}
      loading={fetching.isPending}
      disabled={disabled}
      onClick={() => fetching.mutate()}
    >
      {t('export')}
    </Button>
  );
}
