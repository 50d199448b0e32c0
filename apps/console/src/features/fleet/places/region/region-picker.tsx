import { Cascader } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { offeredRegions } from './offered-regions.ts';
import { type RegionOption, useRegions } from './regions.ts';

interface Props {
  /** set by a surrounding form item */
  id?: string;
  /** codes from country to city */
  value?: string[] | undefined;
  onChange?: (path: string[]) => void;
  placeholder: string;
  label: string;
  /** also offers regions that are turned off, to find places that have them */
  withOff?: boolean;
}

/**
 * Selects a country, province or city: level by level with the arrow keys, or by typing its name in either language.
 */
export default function RegionPicker({ id, value = [], onChange, placeholder, label, withOff = false }: Props) {
  const { t } = useTranslation('places');
  const [opened, setOpened] = useState(false);
  const regions = useRegions(opened || value.length > 0);
  const all = regions.data ?? [];
  return (
    <Cascader<RegionOption>
      id={id}
      options={withOff ? all : offeredRegions(all, value)}
      value={value}
      changeOnSelect
      allowClear
      loading={regions.isFetching}
      placeholder={placeholder}
      aria-label={label}
      notFoundContent={regions.isPending ? t('region.loading') : t('region.none')}
      showSearch={{
        filter: (text, path) => {
          const wantedWords = text.toLowerCase().trim();
          return path.at(-1)?.words.includes(wantedWords) ?? false;
        },
        limit: 50,
        sort: (a, b) => a.length - b.length,
      }}
      displayRender={(labels) => labels.join(' · ')}
      popupMenuColumnStyle={{ maxWidth: 260 }}
      onOpenChange={(open) => setOpened((before) => before || open)}
      onChange={(path) => onChange?.(((path as string[] | undefined) ?? []).map(String))}
    />
  );
}
