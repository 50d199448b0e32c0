import { checkValue, type ItemRange } from '@chargehand/domain';
import { Input, InputNumber, Segmented, Select, Slider } from 'antd';
import css from './models.module.css';
import { useNames } from './names.ts';

/** Maximum number of options shown as buttons; more become a select. */
const SIDE_BY_SIDE = 4;
/** Maximum number of steps of a slider; more cannot be set precisely. */
const MOST_STEPS = 100_000;

interface Props {
  range: ItemRange;
  unit: string;
  /** the value as sent to the device */
  value: string;
  onChange(value: string): void;
  label: string;
}

/**
 * The control for a value of an item: a slider, a number, a text or a select, depending on its range. Errors are shown
 * below.
 */
export function ValueControl({ range, unit, value, onChange, label }: Props) {
  const { faultText } = useNames();
  const { problem } = checkValue(range, value);
  return (
    <div>
      <Field range={range} unit={unit} value={value} onChange={onChange} label={label} />
      {problem && value !== '' && <p className="model-fault">{faultText(problem)}</p>}
    </div>
  );
}

function Field({ range, unit, value, onChange, label }: Props) {
  const { entryOptions } = useNames();
  switch (range.type) {
    case 1:
    case 2: {
      const [min, max] = [Number(range.min), Number(range.max)];
      const step = range.type === 1 ? 1 : 10 ** -Math.min(range.decimals, 12);
      const slides = (max - min) / step <= MOST_STEPS;
      return (
        <div className="stack-tight">
          {slides && (
            <Slider
              className={css.valueSlider}
              min={min}
              max={max}
              step={step}
              value={Number(value)}
              onChange={(next: number) => onChange(String(next))}
              ariaLabelForHandle={label}
            />
          )}
          <InputNumber<string>
            className={css.valueNumberField}
            stringMode
            value={value}
            step={step}
            aria-label={label}
            suffix={unit === '' ? undefined : unit}
            onChange={(next) => onChange(next ?? '')}
          />
        </div>
      );
    }
    case 3:
      return (
        <Input
          value={value}
          aria-label={label}
          count={{ show: true, strategy: (text) => [...text].length, max: range.max }}
          suffix={unit === '' ? undefined : unit}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 4: {
      const options = entryOptions(range.entries);
      return options.length <= SIDE_BY_SIDE ? (
        <Segmented className={css.modelChoice} options={options} value={value} onChange={onChange} aria-label={label} />
      ) : (
        <Select className={css.valueSelect} options={options} value={value} onChange={onChange} aria-label={label} />
      );
    }
  }
}

/** The initial value: the valid value nearest to zero or empty. */
export function firstValue(range: ItemRange): string {
  switch (range.type) {
    case 1:
    case 2:
      return checkValue(range, '0').value ?? String(range.min);
    case 3:
      return '';
    case 4:
      return range.entries[0]?.value ?? '';
  }
}
