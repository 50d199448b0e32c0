import { EditOutlined } from '@ant-design/icons';
import type { ParameterRow } from '@chargehand/contract';
import { isSecretParameter } from '@chargehand/domain';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dash } from '../../shared/ui/time-ago.tsx';
import type { Obstacle } from './command-state.ts';

interface Props {
  parameter: ParameterRow;
  /** a command about it is under way */
  waiting: boolean;
  obstacle: Obstacle | null;
  /** Gives the command; rejects with the reason when it is refused. */
  onSet(value: string): Promise<void>;
}

/** The value of a parameter, and in its place the field in which to change it: Enter sets, Escape leaves it. */
export function ParameterValue({ parameter, waiting, obstacle, onSet }: Props) {
  const { t } = useTranslation('operations');
  const { t: common } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const { key, value, readonly } = parameter;

  async function set(next: string) {
    if (next === value) return setProblem(t('parameter.same'));
    setSending(true);
    try {
      await onSet(next);
      setDraft(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : common('com_error_system'));
    } finally {
      setSending(false);
    }
  }

  if (draft !== null) {
    return (
      <form
        className="parameter-edit"
        onSubmit={(event) => {
          event.preventDefault();
          void set(draft);
        }}
      >
        <Input
          className="mono"
          autoFocus
          value={draft}
          maxLength={500}
          status={problem ? 'error' : undefined}
          aria-label={t('parameter.newValue', { key })}
          aria-invalid={problem !== null}
          onChange={(event) => {
            setDraft(event.target.value);
            setProblem(null);
          }}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
        <Button type="primary" htmlType="submit" loading={sending}>
          {t('parameter.set')}
        </Button>
        <Button onClick={() => setDraft(null)}>{common('cancel')}</Button>
        {problem && (
          <span className="parameter-problem" role="alert">
            {problem}
          </span>
        )}
      </form>
    );
  }
  return (
    <span className="parameter-value">
      {value === null || value === '' ? <Dash /> : <span className="mono">{value}</span>}
      {readonly || isSecretParameter(key) ? (
        <span className="quiet parameter-readonly">{t('parameter.readonly')}</span>
      ) : (
        <Button
          type="text"
          size="small"
          icon={<EditOutlined aria-hidden="true" />}
          disabled={waiting || obstacle !== null}
          title={obstacle ? t(`obstacle.${obstacle}`) : t('parameter.change', { key })}
          aria-label={t('parameter.change', { key })}
          onClick={() => {
            setProblem(null);
            setDraft(value ?? '');
          }}
        />
      )}
    </span>
  );
}
