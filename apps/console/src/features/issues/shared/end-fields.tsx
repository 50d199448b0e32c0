import type { IssueCause, IssueRemedy } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useEndNames } from '../../../shared/i18n/use-end-names.ts';
import css from './end-fields.module.css';

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

/**
 * The fields of the cause and the remedy of an issue. With alarm codes, what closed issues of the same codes had is
 * offered first, the most frequent one first.
 */
export function EndFields(props: { codes?: readonly string[]; value: EnteredEnd; onChange(value: EnteredEnd): void }) {
  const { codes = [], value, onChange } = props;
  const { t } = useTranslation('issues');
  const id = useId();
  const { causes, remedies } = useEndNames();
  const change = (patch: Partial<EnteredEnd>) => onChange({ ...value, ...patch });
  return (
    <>
      {codes.length > 0 && <Usual codes={codes} onChoose={change} />}
      <label htmlFor={`${id}-cause`}>{t('end.cause')}</label>
      <Select<IssueCause>
        id={`${id}-cause`}
        value={value.cause}
        placeholder={t('end.choose')}
        options={causes.options}
        onChange={(cause) => change({ cause })}
      />
      <label htmlFor={`${id}-causeText`}>{t('end.causeText')}</label>
      <Input.TextArea
        id={`${id}-causeText`}
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={1_000}
        value={value.causeText}
        onChange={(event) => change({ causeText: event.target.value })}
      />
      <label htmlFor={`${id}-remedy`}>{t('end.remedy')}</label>
      <Select<IssueRemedy>
        id={`${id}-remedy`}
        value={value.remedy}
        placeholder={t('end.choose')}
        options={remedies.options}
        onChange={(remedy) => change({ remedy })}
      />
      <label htmlFor={`${id}-remedyText`}>{t('end.remedyText')}</label>
      <Input.TextArea
        id={`${id}-remedyText`}
        autoSize={{ minRows: 2, maxRows: 6 }}
        maxLength={1_000}
        value={value.remedyText}
        onChange={(event) => change({ remedyText: event.target.value })}
      />
    </>
  );
}

/** The number of offered ends. */
const OFFERED = 4;

function Usual(props: { codes: readonly string[]; onChoose(end: { cause: IssueCause; remedy: IssueRemedy }): void }) {
  const { t } = useTranslation('issues');
  const { causes, remedies } = useEndNames();
  const query = { codes: [...new Set(props.codes)].slice(0, 50).join(',') };
  const ends = useQuery(queryOf('readIssueEnds', { query }, { quiet: true }));
  const canChoose = ({ options }: typeof causes, code: string) => options.some(({ value }) => value === code);
  const items = (ends.data?.items ?? [])
    .filter(({ cause, remedy }) => canChoose(causes, cause) && canChoose(remedies, remedy))
    .slice(0, OFFERED);
  if (items.length === 0) return null;
  return (
    <fieldset className={css.usual}>
      <legend>{t('end.usual')}</legend>
      {items.map(({ cause, remedy, count }) => (
        <Button key={`${cause} ${remedy}`} size="small" onClick={() => props.onChoose({ cause, remedy })}>
          {t('end.usualOf', { cause: causes.nameOf(cause), remedy: remedies.nameOf(remedy), count })}
        </Button>
      ))}
    </fieldset>
  );
}
