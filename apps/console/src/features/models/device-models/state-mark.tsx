import { useTranslation } from 'react-i18next';
import css from '../models.module.css';
import type { State } from './contents.ts';

/** Where an entry comes from, in words; nothing for what the model says itself. */
export function StateMark({ state, origin }: { state: State | 'absent'; origin: string | undefined }) {
  const { t } = useTranslation('models');
  if (state === 'own' || state === 'absent') return null;
  return (
    <span className={css.stateMark} data-state={state}>
      {t(`state.${state}`, { name: origin ?? '' })}
    </span>
  );
}
