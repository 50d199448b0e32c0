import { Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';

const MIB = 1024 ** 2;
/** The maximum that the server accepts. */
const MOST_MIB = 100 * 1024;

/** Bytes as the number in the field, and back; null is no limit. */
export const mebibytesOf = (bytes: number | null) => (bytes === null ? null : bytes / MIB);
export const bytesOf = (mebibytes: number | null) => (mebibytes === null ? null : Math.round(mebibytes * MIB));

/** The total size of the files that an upload request takes, in MB. */
export function SizeLimitField() {
  const { t } = useTranslation('shares');
  return (
    <Form.Item name="byteLimit" label={t('sizeLimit')}>
      <InputNumber min={1} max={MOST_MIB} precision={0} placeholder={t('unlimited')} suffix={t('sizeUnit')} />
    </Form.Item>
  );
}
