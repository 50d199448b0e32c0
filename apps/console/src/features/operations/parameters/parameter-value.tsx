import { EditOutlined } from '@ant-design/icons';
import type { ParameterRow } from '@chargehand/contract';
import { checkValue, type ItemRange, sameItemValue } from '@chargehand/domain';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../../shared/i18n/use-names.ts';
import { ItemValue } from '../../../shared/ui/values/item-value.tsx';
import type { Obstacle } from '../commands/command-state.ts';
import css from '../operations.module.css';
import { ParameterField } from './parameter-field.tsx';
import { rangeOf, shownParameter } from './parameter-state.ts';

interface Props {
  parameter: ParameterRow;
  /** a command for it is pending */
  waiting: boolean;
  obstacle: Obstacle | null;
  /** Sends the command. Rejects with the reason when the server rejects it. */
  onSet(value: string): Promise<void>;
}

/** The value of a parameter, replaced by an input while editing: Enter sets it, Escape cancels. */
export function ParameterValue({ parameter, waiting, obstacle, onSet }: Props) {
  const { t } = useTranslation('operations');
  const { t: words } = useTranslation('parameters');
  const { language } = useNames();
  const [editing, setEditing] = useState(false);
  const { key, value, readonly, secret, item } = parameter;
  const place = useRef<HTMLSpanElement>(null);
  const edited = useRef(false);
  // When the input closes, the focus returns to the button that opened it, or next to it while a command is pending.
  useEffect(() => {
    if (edited.current && !editing) {
      const opener = place.current?.querySelector<HTMLElement>('button:enabled');
      (opener ?? place.current)?.focus();
    }
    edited.current = editing;
  }, [editing]);

  if (editing) return <Editing parameter={parameter} onSet={onSet} onClose={() => setEditing(false)} />;
  return (
    <span ref={place} tabIndex={-1} className={css.parameterValue}>
      <ItemValue shown={shownParameter(item, value, language)} raw={value ?? undefined} />
      {secret || readonly ? (
        <span className={`quiet ${css.parameterReadonly}`}>{secret ? words('secret') : t('parameter.readonly')}</span>
      ) : obstacle === 'noPermission' ? null : (
        <Button
          type="text"
          size="small"
          icon={<EditOutlined aria-hidden="true" />}
          disabled={waiting || obstacle !== null}
          title={obstacle ? t(`obstacle.${obstacle}`) : t('parameter.change', { key })}
          aria-label={t('parameter.change', { key })}
          onClick={() => setEditing(true)}
        />
      )}
    </span>
  );
}

function Editing(props: Pick<Props, 'parameter' | 'onSet'> & { onClose(): void }) {
  const { t } = useTranslation('operations');
  const { t: common } = useTranslation();
  const { faultText } = useNames();
  const { key, value, item } = props.parameter;
  const range = rangeOf(item);
  const [draft, setDraft] = useState(firstDraft(range, value));
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const checked = range ? checkValue(range, draft) : { value: draft, problem: null };
  const fault = checked.problem && draft !== '' ? faultText(checked.problem) : null;
  const problem = refusal ?? fault;
  const form = useRef<HTMLFormElement>(null);
  // A group of buttons does not focus itself.
  useEffect(() => {
    const { current } = form;
    if (!current || current.contains(document.activeElement)) return;
    const field = current.querySelector<HTMLElement>('input:checked') ?? current.querySelector('input');
    field?.focus();
  }, []);

  async function set() {
    if (checked.problem) return setRefusal(faultText(checked.problem));
    if (value !== null && sameItemValue(item, value, checked.value)) return setRefusal(t('parameter.same'));
    setSending(true);
    try {
      await props.onSet(checked.value);
      props.onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : common('com_error_system'));
    } finally {
      setSending(false);
    }
  }

  return (
    <form
      ref={form}
      className="parameter-edit"
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
      onKeyDown={(event) => event.key === 'Escape' && props.onClose()}
    >
      <ParameterField
        range={range}
        unit={item?.unit ?? ''}
        value={draft}
        label={t('parameter.newValue', { key })}
        invalid={problem !== null}
        onChange={(next) => {
          setDraft(next);
          setRefusal(null);
        }}
      />
      <Button type="primary" htmlType="submit" loading={sending}>
        {t('parameter.set')}
      </Button>
      <Button onClick={props.onClose}>{common('cancel')}</Button>
      <Admitted range={range} unit={item?.unit ?? ''} />
      {problem && (
        <span className={css.parameterProblem} role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}

/** The allowed values, shown next to the input. */
function Admitted({ range, unit }: { range: ItemRange | null; unit: string }) {
  const { t } = useTranslation('parameters');
  if (range?.type !== 1 && range?.type !== 2) return null;
  return (
    <span className="quiet">
      {t('between', { min: range.min, max: range.max })} {unit}
    </span>
  );
}

/** The initial content of the input: the value in the form of its item, so that it matches an option. */
function firstDraft(range: ItemRange | null, value: string | null): string {
  if (value === null) return '';
  return (range && checkValue(range, value).value) ?? value;
}
