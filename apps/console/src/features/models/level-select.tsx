import type { Level } from '@chargehand/domain';
import { Select } from 'antd';
import css from './models.module.css';

const LEVELS: readonly Level[] = [0, 1, 2, 3, 4, 5];

interface Props {
  label: string;
  value: Level | undefined;
  disabled?: boolean;
  placeholder?: string;
  onChange(level: Level): void;
}

/** Selects a level from 0 (highest) to 5. */
export function LevelSelect({ label, value, disabled, placeholder, onChange }: Props) {
  return (
    <Select<Level>
      className={css.levelSelect}
      size="small"
      aria-label={label}
      value={value}
      disabled={disabled}
      placeholder={placeholder}
      popupMatchSelectWidth={false}
      options={LEVELS.map((level) => ({ value: level, label: String(level) }))}
      onChange={onChange}
    />
  );
}
