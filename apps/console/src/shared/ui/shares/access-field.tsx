import { Form, Radio } from 'antd';
import { useTranslation } from 'react-i18next';

/** What visitors of a shared issue can do. */
export function AccessField({ hint }: { hint?: string }) {
  const { t } = useTranslation('shares');
  return (
    <Form.Item name="comments" label={t('access.label')} extra={hint}>
      <Radio.Group
        options={[
          { value: false, label: t('access.read') },
          { value: true, label: t('access.comment') },
        ]}
      />
    </Form.Item>
  );
}
