import type { SelectProps } from 'antd';
import type { BaseOptionType, DefaultOptionType } from 'antd/es/select';
import type { ComponentType } from 'react';
import { useLate } from '../../hooks/late/use-late.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import './late-select.css';

const load = () => loadChunk(() => import('./select-part.ts')) as Promise<{ default: ComponentType<never> }>;

/**
 * A select field, loaded after the page: its code is a seventh of the code of a first list, whose rows do not need it. Until
 * then its text is shown in the same box.
 */
export function LateSelect<V, O extends BaseOptionType | DefaultOptionType = DefaultOptionType>(
  props: SelectProps<V, O>,
) {
  const Part = useLate(load) as ComponentType<SelectProps<V, O>> | null;
  if (Part) return <Part {...props} />;
  const chosen = props.options?.find((option) => option.value === props.value);
  return (
    <span className="select-field select-waiting" data-size={props.size} aria-hidden="true">
      <span>{chosen?.label ?? props.placeholder}</span>
    </span>
  );
}
