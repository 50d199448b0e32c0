import type { ItemRange } from '@chargehand/domain';
import { Input, InputNumber, Segmented, Select } from 'antd';
import { useNames } from '../../../shared/i18n/use-names.ts';
import css from '../operations.module.css';

/** Maximum number of options shown as buttons; more become a select. */
const SIDE_BY_SIDE = 3;

interface Props {
  /** null: the parameter is not in the model */
  range: ItemRange | null;
  unit: string;
  /** the value as sent to the device */
  value: string;
  onChange(value: string): void;
  label: string;
  invalid: boolean;
}

/** The input for a value of a parameter, depending on its item. The caller shows errors. */
export function ParameterField({ range, unit, value, onChange, label, invalid }: Props) {
  const { entryOptions } = useNames();
  const status = invalid ? 'error' : undefined;
  const common = { 'aria-label': label, 'aria-invalid': invalid, autoFocus: true };
  if (range?.type === 1 || range?.type === 2) {
    return (
      <InputNumber<string>
        {...common}
        className={css.parameterNumber}
        stringMode
        status={status}
        value={value}
        step={range.type === 1 ? 1 : 10 ** -Math.min(range.decimals, 12)}
        suffix={unit === '' ? undefined : unit}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  }
  if (range?.type === 4) {
    const options = entryOptions(range.entries);
    return options.length <= SIDE_BY_SIDE ? (
      <Segmented aria-label={label} options={options} value={value} onChange={onChange} />
    ) : (
      <Select
        {...common}
        className={css.parameterSelect}
        status={status}
        options={options}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <Input
      {...common}
      className={`mono ${css.parameterText}`}
      status={status}
      value={value}
      maxLength={500}
      suffix={unit === '' ? undefined : unit}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
