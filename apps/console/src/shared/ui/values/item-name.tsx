import { type Bilingual, variantNames } from '@chargehand/domain';
import { Link } from 'react-router';
import { useNames } from '../../i18n/use-names.ts';
import { Breakable } from './breakable.tsx';
import './item-value.css';

interface Props {
  /** the key in the protocol */
  itemKey: string;
  /** the name in the model; null when there is none */
  name: Bilingual | null;
  /** a phase or location that the device appends */
  variant?: string;
  /** the document that explains it */
  documentId: number | null;
}

/** The name of a quantity in the model, or its protocol key. */
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
