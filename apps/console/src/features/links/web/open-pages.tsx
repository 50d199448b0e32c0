import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';

/** Opens the web pages of the device of a link in a new tab without access to the console. */
export function OpenPages({ linkId }: { linkId: number }) {
  const { t } = useTranslation('links');
  const open = useMutation({
    mutationFn: () => call('openPages', { params: { id: linkId }, body: {} }, { quiet: true }),
    onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
  });
  return (
    <>
      <Button type="primary" loading={open.isPending} onClick={() => open.mutate()}>
        {t('web.open')}
      </Button>
      {open.isSuccess && <span role="status">{t('web.opened')}</span>}
      <ErrorNote text={open.error?.message} />
    </>
  );
}
