import { formatRange, type ItemType, parseRange } from '@chargehand/domain';
import { Input } from 'antd';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EnumerationLines } from './enumeration-lines.tsx';
import css from './models.module.css';
import { useNames } from './names.ts';
import { firstValue, ValueControl } from './value-control.tsx';

interface Props {
  /** set by a surrounding form item */
  id?: string;
  type: ItemType;
  unit: string;
  value: string;
  onChange(text: string): void;
}

/**
 * The range of an item as text, with errors below the line they concern, and a preview of the control on device pages.
 */
export function RangeEditor({ id, type, unit, value, onChange }: Props) {
  const { t } = useTranslation('models');
  const { faultText } = useNames();
  const own = useId();
  const faultId = `${id ?? own}-fault`;
  const { problem } = parseRange(type, value);
  return (
    <div className={css.rangeEditor}>
      <div className={css.rangeText}>
        {type === 4 ? (
          <EnumerationLines id={id ?? own} value={value} onChange={onChange} problem={problem} faultId={faultId} />
        ) : (
          <>
            <Input
              id={id ?? own}
              className="mono"
              value={value}
              maxLength={300}
              spellCheck={false}
              autoComplete="off"
              status={problem ? 'error' : undefined}
              placeholder={t(`range.example.${type}`)}
              aria-label={t('range.label')}
              aria-invalid={problem !== null}
              aria-describedby={faultId}
              onChange={(event) => onChange(event.target.value)}
            />
            <p id={faultId} className={problem ? 'model-fault' : 'quiet'} role={problem ? 'alert' : undefined}>
              {problem ? faultText(problem) : t(`range.hint.${type}`)}
            </p>
          </>
        )}
      </div>
      <RangePreview type={type} range={value} unit={unit} />
    </div>
  );
}

/** The control of a range to try out. It sends nothing. */
export function RangePreview({ type, range: text, unit }: { type: ItemType; range: string; unit: string }) {
  const { t } = useTranslation('models');
  const { range } = parseRange(type, text);
  const written = range ? `${type} ${formatRange(range)}` : '';
  const [value, setValue] = useState('');
  // A new range starts with its own initial value.
  useEffect(() => {
    const { range: next } = parseRange(type, text);
    if (written !== '' && next) setValue(firstValue(next));
  }, [written, type, text]);
  return (
    <fieldset className="range-preview">
      <legend>{t('range.preview')}</legend>
      {range ? (
        <ValueControl range={range} unit={unit} value={value} onChange={setValue} label={t('range.preview')} />
      ) : (
        <p className="quiet">{t('range.noPreview')}</p>
      )}
    </fieldset>
  );
}
