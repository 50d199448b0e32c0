import { ISSUE_LABEL_LENGTH, ISSUE_LABELS } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useLabelNames } from '../../../shared/i18n/use-label-names.ts';

/** Labels of an issue: chosen from the dictionary and from those that other issues have, or typed. */
export function LabelInput(props: {
  id?: string;
  label?: string;
  value?: string[];
  onChange?(labels: string[]): void;
}) {
  const { id, label, value, onChange } = props;
  const { t } = useTranslation('issues');
  const known = useQuery(queryOf('listIssueLabels', {}, { quiet: true }));
  const { entries, nameOf, codeOf, stored } = useLabelNames();
  const off = new Set(entries.filter(({ enabled }) => !enabled).map(({ code }) => code));
  const chosen = (value ?? []).map(codeOf);
  const used = (known.data?.items ?? []).map(({ name }) => codeOf(name));
  // Labels that are turned off are offered to keep only.
  const offered = [...entries.map(({ code }) => code), ...used].filter((one) => !off.has(one));
  return (
    <Select<string[]>
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      mode="tags"
      maxCount={ISSUE_LABELS}
      tokenSeparators={[',', '，']}
      value={chosen}
      placeholder={t('labelsHint')}
      optionFilterProp="label"
      options={[...new Set([...offered, ...chosen])].map((one) => ({ value: one, label: nameOf(one) }))}
      onChange={(entered) => onChange?.(stored(entered.map((one) => one.slice(0, ISSUE_LABEL_LENGTH))))}
    />
  );
}
