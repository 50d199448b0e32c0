import { FRAME_TYPES } from '@chargehand/contract/constants';
import { useTranslation } from 'react-i18next';
import css from './protocol.module.css';

const TYPES = Object.keys(FRAME_TYPES) as (keyof typeof FRAME_TYPES)[];

/** Buttons for the types of frames that a log shows; none: all of them. */
export function FrameTypes({ chosen, onChange }: { chosen: readonly string[]; onChange(types: string[]): void }) {
  const { t } = useTranslation('audit');
  return (
    <fieldset className={css.protocolTypes} aria-label={t('frame.type')}>
      {TYPES.map((type) => (
        <button
          key={type}
          type="button"
          className={`${css.frameMark} frame-mark-${type}`}
          aria-pressed={chosen.includes(type)}
          onClick={() => onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])}
        >
          {t(`frame.types.${type}`)}
        </button>
      ))}
    </fieldset>
  );
}
