import { useTranslation } from 'react-i18next';
import css from '../models.module.css';
import type { State } from './contents.ts';

/** The origin of an entry as text; nothing for the model's own entries. */
export function StateMark({ state, origin }: { state: State | 'absent'; origin: string | undefined }) {
  const { t } = useTranslation('models');
  if (state === 'own' || state === 'absent') return null;
  return (
    <span className={css.stateMark} data-state={state}>
      {t(`state.${state}`, { name: origin ?? '' })}
    </span>
  );
}
