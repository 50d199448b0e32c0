import { ISSUE_LABEL_LENGTH, ISSUE_LABELS, issueLabels } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';

/** Labels of an issue: typed, or chosen from those that other issues have. */
export function LabelInput(props: {
  id?: string;
  label?: string;
  value?: string[];
  onChange?(labels: string[]): void;
}) {
  const { id, label, value, onChange } = props;
  const { t } = useTranslation('issues');
  const known = useQuery(queryOf('listIssueLabels', {}, { quiet: true }));
  return (
    <Select<string[]>
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      mode="tags"
      maxCount={ISSUE_LABELS}
      tokenSeparators={[',', '，']}
      value={value ?? []}
      placeholder={t('labelsHint')}
      options={(known.data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
      onChange={(entered) => onChange?.(issueLabels(entered.map((one) => one.slice(0, ISSUE_LABEL_LENGTH))))}
    />
  );
}
