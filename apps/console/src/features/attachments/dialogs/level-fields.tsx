import { type FileLevels, LEVEL_VERBS, type Level, type Levels, type LevelVerb } from '@chargehand/domain';
import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLevelName, useLevelOptions } from '../../../shared/i18n/use-level-name.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import css from '../attachments.module.css';

/** The fields of the levels in forms and in the contract. */
export interface LevelValues {
  readLevel: Level;
  writeLevel: Level;
  downloadLevel: Level;
}

/** The form field of each verb. */
const FIELDS = {
  read: 'readLevel',
  write: 'writeLevel',
  download: 'downloadLevel',
} as const satisfies Record<LevelVerb, keyof LevelValues>;

/**
 * The levels of a file or a folder. Only allowed ones can be selected: not lower than those of the folder that contains
 * it, and held by the user.
 */
export function LevelFields({ within }: { within: FileLevels | null }) {
  const { t } = useTranslation('attachments');
  const { info } = useUser();
  const held = (info.role.levels as Levels).attachment;
  const levelName = useLevelName();
  const options = useLevelOptions();
  return (
    <fieldset className={css.levels}>
      <legend>{t('levels.title')}</legend>
      <p className="quiet">{t('levels.hint')}</p>
      {LEVEL_VERBS.map((verb) => (
        <Form.Item
          key={verb}
          name={FIELDS[verb]}
          label={t(`levels.${verb}`)}
          extra={within && within[verb] < 5 && t('levels.atLeast', { level: levelName(within[verb]) })}
        >
          <Select<Level>
            options={options((level) => (within !== null && level > within[verb]) || level < held[verb])}
          />
        </Form.Item>
      ))}
    </fieldset>
  );
}

/** The levels with their names, such as `Read 3 (medium)`. */
export function LevelsText({ levels }: { levels: LevelValues }) {
  const { t } = useTranslation('attachments');
  const levelName = useLevelName();
  return (
    <span className={css.levelNames}>
      {LEVEL_VERBS.map((verb) => (
        <span key={verb} className="no-break">
          {t(`levels.named.${verb}`, { level: levelName(levels[FIELDS[verb]]) })}
        </span>
      ))}
    </span>
  );
}
