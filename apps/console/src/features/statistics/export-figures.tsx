import { DownloadOutlined } from '@ant-design/icons';
import { type Levels, type StatisticStep, siteRights } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { useUser } from '../../shared/session/use-user.ts';

/** Exports the figures as a spreadsheet, for users with the required level. */
export function ExportFigures(props: {
  of: 'exportSiteStatuses' | 'exportSiteTraffic';
  siteId: number;
  step: StatisticStep;
}) {
  const { t } = useTranslation('statistics');
  const { info } = useUser();
  const { of, siteId, step } = props;
  const fetching = useMutation({ mutationFn: () => download(of, { params: { id: siteId }, query: { step } }) });
  if (!siteRights(info.role.levels as Levels).download) return null;
  return (
    <Button
      icon={<DownloadOutlined aria-hidden="true" />}
      loading={fetching.isPending}
      onClick={() => fetching.mutate()}
    >
      {t('export')}
    </Button>
  );
}
