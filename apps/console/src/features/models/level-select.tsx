import type { Level } from '@chargehand/domain';
import { Select } from 'antd';
import { useLevelOptions } from '../../shared/i18n/use-level-name.ts';
import css from './models.module.css';

interface Props {
  label: string;
  value: Level | undefined;
  disabled?: boolean;
  placeholder?: string;
  /** in a line with other controls; default: true */
  small?: boolean;
  onChange(level: Level): void;
}

/** Selects a level from 0 (highest) to 5. */
export function LevelSelect({ label, value, disabled, placeholder, small = true, onChange }: Props) {
  return (
    <Select<Level>
      className={css.levelSelect}
      size={small ? 'small' : 'middle'}
      aria-label={label}
      value={value}
      disabled={disabled}
      placeholder={placeholder}
      popupMatchSelectWidth={false}
      options={useLevelOptions()()}
      onChange={onChange}
    />
  );
}
