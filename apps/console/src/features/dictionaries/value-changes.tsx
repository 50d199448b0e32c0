import { type Dictionary, type DictionaryValue, hasOrder, isChosenFrom } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import css from './dictionaries.module.css';

const LABELS = { nameEn: 'nameEn', nameZh: 'nameZh', parent: 'parent', enabled: 'enabled', position: 'order' } as const;
const FIELDS = ['nameEn', 'nameZh', 'parent', 'enabled', 'position'] as const;

interface Props {
  dictionary: Dictionary;
  /** null: there is no entry */
  before: DictionaryValue | null;
  after: DictionaryValue | null;
}

/** What differs between two values of an entry. */
export function ValueChanges({ dictionary, before, after }: Props) {
  const { t } = useTranslation('dictionary');
  const shown = {
    nameEn: true,
    nameZh: true,
    parent: true,
    enabled: isChosenFrom(dictionary),
    position: hasOrder(dictionary),
  };
  const differing = FIELDS.filter((field) => shown[field] && before?.[field] !== after?.[field]);
  const textOf = (value: DictionaryValue | null, field: (typeof FIELDS)[number]) => {
    if (value === null) return t('nothing');
    return field === 'enabled' ? t(value.enabled ? 'yes' : 'no') : String(value[field] ?? t('nothing'));
  };
  return (
    <ul className={css.values}>
      {differing.map((field) => (
        <li key={field}>
          {t('valueChange', {
            field: t(LABELS[field]),
            before: textOf(before, field),
            after: textOf(after, field),
          })}
        </li>
      ))}
    </ul>
  );
}
