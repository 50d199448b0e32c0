import { useCallback, useEffect, useRef, useState } from 'react';
import { type Answer, call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';

/** A challenge and its computation, which ends with the payload, or with null when the browser could not solve it. */
export interface Round {
  challenge: Answer<'captcha'>;
  work: PromiseWithResolvers<string | null>;
}

export interface Captcha {
  /** null while loading */
  round: Round | null;
  /** the error of loading it */
  problem: unknown;
  /** Every attempt uses up its challenge: fetches the next one. */
  renew(): void;
  /** The challenge and its payload (null when none is required), once they are available. */
  solved(): Promise<{ captchaId: string; required: boolean; payload: string | null }>;
}

/** The challenge for the next sign-in attempt, and the information about the server that comes with it. */
export function useCaptcha(): Captcha {
  const [round, setRound] = useState<Round | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const pendingRound = useRef<Promise<Round> | null>(null);

  const renew = useCallback(() => {
    setRound((old) => {
      old?.work.resolve(null);
      return null;
    });
    const next = call('captcha', {}, { quiet: true }).then((challenge) => ({
      challenge,
      work: Promise.withResolvers<string | null>(),
    }));
    pendingRound.current = next;
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
    // Renews the challenge of a page that stays open.
    const timer = setTimeout(renew, Math.max(1_000, Date.parse(expiresAt) - Date.now() - 5_000));
    return () => clearTimeout(timer);
  }, [expiresAt, renew]);

  const solved = useCallback(async () => {
    if (!pendingRound.current) renew();
    const { challenge, work } = (await pendingRound.current) as Round;
    const payload = challenge.required ? await work.promise : null;
    return { captchaId: challenge.captchaId, required: challenge.required, payload };
  }, [renew]);

  return { round, problem, renew, solved };
}
