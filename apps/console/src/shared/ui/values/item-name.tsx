import { type Bilingual, variantNames } from '@chargehand/domain';
import type { ReactNode } from 'react';
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
  const linked = (text: ReactNode) =>
    documentId === null ? text : <Link to={`/manage/docs/detail/${documentId}`}>{text}</Link>;
  if (!name) return <span className="item-key">{linked(<Breakable text={itemKey} />)}</span>;
  return (
    <span className="item-name" title={itemKey}>
      {linked(nameOf(name))}
      {variant !== '' && <span className="item-variant">{nameOf(variantNames(variant))}</span>}
    </span>
  );
}
