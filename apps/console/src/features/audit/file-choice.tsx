import type { LogFile } from '@chargehand/contract';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';

const LOG_FILES = ['xlsx', 'csv', 'jsonl'] as const satisfies readonly LogFile[];

/** The kind of file of the export of a log. */
export function FileChoice({ value, onChange }: { value: LogFile; onChange(file: LogFile): void }) {
  const { t } = useTranslation('audit');
  return (
    <Select<LogFile>
      aria-label={t('file.label')}
      value={value}
      popupMatchSelectWidth={false}
      options={LOG_FILES.map((file) => ({ value: file, label: t(`file.${file}`) }))}
      onChange={onChange}
    />
  );
}
