import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';

/** Downloads a file for the support: versions, settings without secrets, sizes and errors. For root only. */
export function SupportBundle() {
  const { t } = useTranslation('errors');
  const fetching = useMutation({ mutationFn: () => download('downloadSupportBundle', {}) });
  return (
    <Button loading={fetching.isPending} onClick={() => fetching.mutate()}>
      {t('supportBundle')}
    </Button>
  );
}
