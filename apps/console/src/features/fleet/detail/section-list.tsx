import { Select, type SelectProps } from 'antd';
import { useTranslation } from 'react-i18next';
import css from './detail.module.css';

/** The sections of a device in a list. */
export default function SectionList(
  props: Pick<SelectProps<string>, 'value' | 'options'> & { onChange(key: string): void },
) {
  const { t } = useTranslation('fleet');
  return <Select<string> className={css.sectionList} aria-label={t('tab.details')} listHeight={480} {...props} />;
}
