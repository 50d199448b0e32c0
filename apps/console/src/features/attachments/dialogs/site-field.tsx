import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../../shared/session/use-user.ts';
import { SitePicker } from '../../../shared/ui/list-page/pickers.tsx';

/** The site of a file or a folder; undefined: all sites of its customer. */
export interface SiteValues {
  siteId?: number | undefined;
}

/** Chooses the site whose users see a file or a folder. Users with assigned sites choose one of theirs. */
export function SiteField({ customerId, knownAs }: { customerId: number; knownAs?: string | null }) {
  const { t } = useTranslation('attachments');
  const { info } = useUser();
  const { allSites } = info.role;
  return (
    <Form.Item
      name="siteId"
      label={t('site.label')}
      extra={t('site.help')}
      rules={allSites ? [] : [{ required: true, message: t('site.needed') }]}
    >
      <SitePicker
        customerId={customerId}
        placeholder={allSites ? t('site.all') : t('site.choose')}
        clearable={allSites}
        knownAs={knownAs ?? undefined}
      />
    </Form.Item>
  );
}
