import { DEFAULT_QUEUE_MINUTES, MAX_QUEUE_MINUTES, type OfflinePolicy } from '@chargehand/domain';
import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import css from '../operations.module.css';

/** What happens to a command when the device is offline. */
export interface Policy {
  whenOffline: OfflinePolicy;
  queueMinutes: number;
}

export const FAILS_AT_ONCE: Policy = { whenOffline: 'fail', queueMinutes: DEFAULT_QUEUE_MINUTES };

/** Typical times to wait for a device: from minutes to days. */
const MINUTES = [15, DEFAULT_QUEUE_MINUTES, 4 * 60, 24 * 60, 3 * 24 * 60, MAX_QUEUE_MINUTES];

/** The policy in the form of the contract. */
export function policyOf({ whenOffline, queueMinutes }: Policy) {
  return whenOffline === 'queue' ? { whenOffline, queueMinutes } : {};
}

/** Whether a command fails when the device is offline or waits for it, and for how long. */
export function PolicyFields({ policy, onChange }: { policy: Policy; onChange(policy: Policy): void }) {
  const { t } = useTranslation('operations');
  return (
    <fieldset className="policy">
      <legend>{t('policy.label')}</legend>
      <Radio.Group
        value={policy.whenOffline}
        onChange={({ target }) => onChange({ ...policy, whenOffline: target.value as OfflinePolicy })}
        options={[
          { value: 'fail', label: t('policy.fail') },
          { value: 'queue', label: t('policy.queue') },
        ]}
      />
      {policy.whenOffline === 'queue' && (
        <Select
          className={css.policyTime}
          value={policy.queueMinutes}
          aria-label={t('policy.for')}
          onChange={(queueMinutes: number) => onChange({ ...policy, queueMinutes })}
          options={MINUTES.map((minutes) => ({ value: minutes, label: <Duration seconds={minutes * 60} /> }))}
        />
      )}
    </fieldset>
  );
}
