import { useCallback, useEffect, useRef, useState } from 'react';
import { type Answer, call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';

/** One challenge and the work on it, which ends with its payload, or with null when the browser could not do it. */
export interface Round {
  challenge: Answer<'captcha'>;
  work: PromiseWithResolvers<string | null>;
}

export interface Captcha {
  /** null while it is on its way */
  round: Round | null;
  /** why there is none */
  problem: unknown;
  /** Every attempt uses up its challenge: fetches the next. */
  renew(): void;
  /** The challenge and its payload (null where none is wanted), as soon as they are there. */
  solved(): Promise<{ captchaId: string; required: boolean; payload: string | null }>;
}

/** The challenge that goes with the next attempt to sign in, and what the server says of itself beside it. */
export function useCaptcha(): Captcha {
  const [round, setRound] = useState<Round | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const coming = useRef<Promise<Round> | null>(null);

  const renew = useCallback(() => {
    setRound((old) => {
      old?.work.resolve(null);
      return null;
    });
    const next = call('captcha', {}, { quiet: true }).then((challenge) => ({
      challenge,
      work: Promise.withResolvers<string | null>(),
    }));
    coming.current = next;
    next.then(
      (arrived) => {
        setRound(arrived);
        setProblem(null);
      },
      (error: unknown) => {
        if (!isCancelled(error)) setProblem(error);
      },
    );
  }, []);
  useEffect(renew, [renew]);

  const expiresAt = round?.challenge.expiresAt;
  useEffect(() => {
    if (!expiresAt) return;
    // A page left open overnight is ready when somebody comes back to it.
    const timer = setTimeout(renew, Math.max(1_000, Date.parse(expiresAt) - Date.now() - 5_000));
    return () => clearTimeout(timer);
  }, [expiresAt, renew]);

  const solved = useCallback(async () => {
    if (!coming.current) renew();
    const { challenge, work } = (await coming.current) as Round;
    const payload = challenge.required ? await work.promise : null;
    return { captchaId: challenge.captchaId, required: challenge.required, payload };
  }, [renew]);

  return { round, problem, renew, solved };
}
