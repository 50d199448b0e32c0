import type { Country } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Cascader } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import css from './dictionaries.module.css';

interface Option {
  value: string;
  label: string;
  /** the code and both names, in lower case */
  words: string;
  children?: Option[];
}

/** Selects the country or province that a new region is part of. Nothing: it is a country. */
export function ParentPicker(props: { id: string; value: string[]; onChange(path: string[]): void }) {
  const { id, value, onChange } = props;
  const { t } = useTranslation('dictionary');
  const locale = useLocale();
  const regions = useQuery(queryOf('listRegions', {}));
  const option = ({ code, en, zh }: Pick<Country, 'code' | 'en' | 'zh'>): Option => ({
    value: code,
    label: locale === 'zh-CN' ? zh : en,
    words: `${code} ${en} ${zh}`.toLowerCase(),
  });
  const options = (regions.data ?? []).map((country) => ({
    ...option(country),
    ...(country.provinces.length > 0 && { children: country.provinces.map(option) }),
  }));
  return (
    <Cascader<Option>
      id={id}
      className={css.parent}
      options={options}
      value={value}
      changeOnSelect
      allowClear
      loading={regions.isFetching}
      placeholder={t('noParent')}
      showSearch={{
        filter: (text, path) => path.at(-1)?.words.includes(text.toLowerCase().trim()) ?? false,
        limit: 50,
        sort: (a, b) => a.length - b.length,
      }}
      displayRender={(labels) => labels.join(' · ')}
      popupMenuColumnStyle={{ maxWidth: 260 }}
      onChange={(path) => onChange(((path as string[] | undefined) ?? []).map(String))}
    />
  );
}
