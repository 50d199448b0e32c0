import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from './captcha.module.css';
import { solveCaptcha } from './solve-captcha.ts';
import type { Round } from './use-captcha.ts';

type State = 'working' | 'done' | 'failed';

/**
 * The captcha: a computation by the browser, without a task for the user. It starts immediately, so that it is usually
 * solved before the password is entered.
 */
export default function Captcha({ round }: { round: Round }) {
  const { t } = useTranslation('access');
  const [state, setState] = useState<State>('working');

  useEffect(() => {
    const controller = new AbortController();
    solveCaptcha(round.challenge.challenge, controller.signal).then(
      (payload) => {
        round.work.resolve(payload);
        setState('done');
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        console.error('The captcha could not be solved', error);
        round.work.resolve(null);
        setState('failed');
      },
    );
    return () => controller.abort();
  }, [round]);

  return (
    <div className={`${css.captcha} ${css[state]}`} role="status" data-state={state}>
      <span className={css.mark} aria-hidden="true" />
      {t(`captcha.${state}`)}
    </div>
  );
}
