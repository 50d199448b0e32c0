import { DEFAULT_ZONE } from '@chargehand/domain';
import { Checkbox } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ClockPicker } from '../../../shared/ui/times/clock-picker.tsx';
import type { Entered } from './entered.ts';
import css from './settings.module.css';

/** The time of the digest, and quiet hours. */
export function TimesPanel({ entered, onChange }: { entered: Entered; onChange(change: Partial<Entered>): void }) {
  const { t } = useTranslation('messages');
  const { quietOn, quietFrom, quietTo, digestAt } = entered;
  return (
    <Panel title={t('settings.times')}>
      <div className={css.times}>
        <ClockField
          label={t('settings.digestAt')}
          minute={digestAt}
          onChange={(minute) => onChange({ digestAt: minute })}
        />
        <p className="quiet">{t('settings.digestHint')}</p>
        <Checkbox checked={quietOn} onChange={({ target }) => onChange({ quietOn: target.checked })}>
          {t('settings.quietOn')}
        </Checkbox>
        {quietOn && (
          <fieldset className={css.quiet} aria-label={t('settings.quiet')}>
            <ClockField
              label={t('settings.quietFrom')}
              minute={quietFrom}
              onChange={(minute) => onChange({ quietFrom: minute })}
            />
            <ClockField
              label={t('settings.quietTo')}
              minute={quietTo}
              onChange={(minute) => onChange({ quietTo: minute })}
            />
            {quietFrom === quietTo && (
              <p className="error-note" role="alert">
                {t('settings.quietSame')}
              </p>
            )}
          </fieldset>
        )}
        <p className="quiet">{t('settings.quietHint')}</p>
        <p className="quiet">{t('settings.zone', { zone: DEFAULT_ZONE })}</p>
      </div>
    </Panel>
  );
}

function ClockField(props: { label: string; minute: number; onChange(minute: number): void }) {
  const id = useId();
  return (
    <span className="field-pair">
      <label htmlFor={id}>{props.label}</label>
      <ClockPicker id={id} minute={props.minute} onChange={props.onChange} />
    </span>
  );
}
