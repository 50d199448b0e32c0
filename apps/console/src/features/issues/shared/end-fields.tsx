import type { IssueCause, IssueRemedy } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useEndNames } from '../../../shared/i18n/use-end-names.ts';

/** How an issue ended, as it is entered. */
export interface EnteredEnd {
  cause: IssueCause | undefined;
  causeText: string;
  remedy: IssueRemedy | undefined;
  remedyText: string;
}

/** An empty form. */
export const NO_END: EnteredEnd = { cause: undefined, causeText: '', remedy: undefined, remedyText: '' };

/** The entered end as the server takes it; null while the cause or the remedy is missing. */
export function endOf({ cause, remedy, causeText, remedyText }: EnteredEnd) {
  return cause && remedy ? { cause, remedy, causeText: causeText.trim(), remedyText: remedyText.trim() } : null;
}

/** The option of the select of usual ends that shows the fields for another one. */
const OTHER = 'other';
/** The number of offered ends. */
const OFFERED = 6;

/**
 * The fields of the cause and the remedy of an issue. With alarm codes, one field has what closed issues of the same codes
 * had; the most frequent end is chosen already, so that closing needs one press. Another end has the fields of its own.
 */
export function EndFields(props: { codes?: readonly string[]; value: EnteredEnd; onChange(value: EnteredEnd): void }) {
  const { codes = [], value, onChange } = props;
  const { t } = useTranslation('issues');
  const id = useId();
  const { causes, remedies } = useEndNames();
  const usual = useUsualEnds(codes);
  const [other, setOther] = useState(false);
  const change = (patch: Partial<EnteredEnd>) => onChange({ ...value, ...patch });
  const first = usual[0];
  const untouched = value.cause === undefined && value.remedy === undefined && !other;
  useEffect(() => {
    if (untouched && first) onChange({ ...value, cause: first.cause, remedy: first.remedy });
  }, [untouched, first, onChange, value]);
  const chosen = usual.find(({ cause, remedy }) => cause === value.cause && remedy === value.remedy);
  const texts = (
    <>
      <EndText
        id={`${id}-causeText`}
        label={t('end.causeText')}
        value={value.causeText}
        onChange={(causeText) => change({ causeText })}
      />
      <EndText
        id={`${id}-remedyText`}
        label={t('end.remedyText')}
        value={value.remedyText}
        onChange={(remedyText) => change({ remedyText })}
      />
    </>
  );

  if (usual.length > 0 && !other) {
    return (
      <>
        <label htmlFor={`${id}-usual`}>{t('end.usual')}</label>
        <Select<string>
          id={`${id}-usual`}
          value={chosen && keyOf(chosen)}
          options={[
            ...usual.map((end) => ({
              value: keyOf(end),
              label: t('end.usualOf', {
                cause: causes.nameOf(end.cause),
                remedy: remedies.nameOf(end.remedy),
                count: end.count,
              }),
            })),
            { value: OTHER, label: t('end.other') },
          ]}
          onChange={(key) => {
            const end = usual.find((one) => keyOf(one) === key);
            setOther(!end);
            change({ cause: end?.cause, remedy: end?.remedy });
          }}
        />
        <details>
          <summary>{t('end.more')}</summary>
          {texts}
        </details>
      </>
    );
  }
  return (
    <>
      <label htmlFor={`${id}-cause`}>{t('end.cause')}</label>
      <Select<IssueCause>
        id={`${id}-cause`}
        value={value.cause}
        placeholder={t('end.choose')}
        options={causes.options}
        onChange={(cause) => change({ cause })}
      />
      <label htmlFor={`${id}-remedy`}>{t('end.remedy')}</label>
      <Select<IssueRemedy>
        id={`${id}-remedy`}
        value={value.remedy}
        placeholder={t('end.choose')}
        options={remedies.options}
        onChange={(remedy) => change({ remedy })}
      />
      {texts}
    </>
  );
}

function EndText(props: { id: string; label: string; value: string; onChange(text: string): void }) {
  return (
    <>
      <label htmlFor={props.id}>{props.label}</label>
      <Input.TextArea
        id={props.id}
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={1_000}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </>
  );
}

const keyOf = ({ cause, remedy }: { cause: IssueCause; remedy: IssueRemedy }) => `${cause} ${remedy}`;

/** How closed issues of these alarm codes ended, the most frequent end first, if it can still be chosen. */
function useUsualEnds(codes: readonly string[]) {
  const { causes, remedies } = useEndNames();
  const query = { codes: [...new Set(codes)].slice(0, 50).join(',') };
  const ends = useQuery({ ...queryOf('readIssueEnds', { query }, { quiet: true }), enabled: codes.length > 0 });
  const canChoose = ({ options }: typeof causes, code: string) => options.some(({ value }) => value === code);
  return (ends.data?.items ?? [])
    .filter(({ cause, remedy }) => canChoose(causes, cause) && canChoose(remedies, remedy))
    .slice(0, OFFERED);
}
