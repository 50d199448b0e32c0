import { type Bilingual, variantNames } from '@chargehand/domain';
import { Link } from 'react-router';
import { useNames } from '../../i18n/use-names.ts';
import { Breakable } from './breakable.tsx';
import './item-value.css';

interface Props {
  /** as devices name it */
  itemKey: string;
  /** as its model names it; null when it does not */
  name: Bilingual | null;
  /** a phase or a place that the device appends */
  variant?: string;
  /** the document that explains it */
  documentId: number | null;
}

/** What a value is of: the name that the model gives it, or the key under which the device tells it. */
export function ItemName({ itemKey, name, variant = '', documentId }: Props) {
  const { nameOf } = useNames();
  if (!name)
    return (
      <span className="item-key">
        <Breakable text={itemKey} />
      </span>
    );
  const text = nameOf(name);
  return (
    <span className="item-name" title={itemKey}>
      {documentId === null ? text : <Link to={`/manage/docs/detail/${documentId}`}>{text}</Link>}
      {variant !== '' && <span className="item-variant">{nameOf(variantNames(variant))}</span>}
    </span>
  );
}
