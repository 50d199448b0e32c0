import type { Fault, RangeFault } from '@chargehand/domain';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import css from './models.module.css';
import { useNames } from './names.ts';

interface Props {
  id: string;
  value: string;
  onChange(text: string): void;
  problem: Fault<RangeFault> | null;
  faultId: string;
}

/**
 * An editor for an enumeration with one line per entry: Enter adds a line, Backspace in an empty line removes it, the
 * arrow keys move between lines, and a text with several lines can be pasted. Errors are shown below their line.
 */
export function EnumerationLines({ id, value, onChange, problem, faultId }: Props) {
  const { t } = useTranslation('models');
  const { faultText } = useNames();
  const list = useRef<HTMLOListElement>(null);
  const lines = value.split('\n');
  const change = (next: string[], focus: number) => {
    onChange(next.join('\n'));
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[focus]?.focus());
  };

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, index: number) {
    const input = event.currentTarget;
    const walk = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      const [before, after] = [
        input.value.slice(0, input.selectionStart ?? 0),
        input.value.slice(input.selectionEnd ?? 0),
      ];
      change([...lines.slice(0, index), before, after, ...lines.slice(index + 1)], index + 1);
    } else if (event.key === 'Backspace' && input.value === '' && lines.length > 1) {
      event.preventDefault();
      change([...lines.slice(0, index), ...lines.slice(index + 1)], Math.max(0, index - 1));
    } else if (walk !== undefined && walk >= 0 && walk < lines.length) {
      event.preventDefault();
      list.current?.querySelectorAll('input')[walk]?.focus();
    }
  }

  function onPaste(event: ClipboardEvent<HTMLInputElement>, index: number) {
    const pasted = event.clipboardData.getData('text').split(/\r\n|\r|\n/);
    if (pasted.length < 2) return;
    event.preventDefault();
    const { value: text, selectionStart, selectionEnd } = event.currentTarget;
    const joined = `${text.slice(0, selectionStart ?? 0)}${pasted.join('\n')}${text.slice(selectionEnd ?? 0)}`;
    change([...lines.slice(0, index), ...joined.split('\n'), ...lines.slice(index + 1)], index + pasted.length - 1);
  }

  return (
    <>
      <ol className={css.enumLines} ref={list}>
        {lines.map((line, index) => {
          const faulty = problem !== null && problem.fault !== 'enumEmpty' && problem.line === index + 1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number
            <li key={index} data-faulty={faulty}>
              <input
                id={index === 0 ? id : undefined}
                className="mono"
                value={line}
                maxLength={400}
                spellCheck={false}
                autoComplete="off"
                placeholder={index === 0 ? t('range.example.4') : undefined}
                aria-label={t('range.line', { line: index + 1 })}
                aria-invalid={faulty}
                aria-describedby={faulty ? faultId : undefined}
                onChange={(event) =>
                  onChange([...lines.slice(0, index), event.target.value, ...lines.slice(index + 1)].join('\n'))
                }
                onKeyDown={(event) => onKeyDown(event, index)}
                onPaste={(event) => onPaste(event, index)}
              />
              {faulty && (
                <p id={faultId} className="model-fault" role="alert">
                  {faultText(problem)}
                </p>
              )}
            </li>
          );
        })}
      </ol>
      {problem?.fault === 'enumEmpty' ? (
        <p id={faultId} className="model-fault">
          {faultText(problem)}
        </p>
      ) : (
        <p className="quiet">{t('range.hint.4')}</p>
      )}
    </>
  );
}
