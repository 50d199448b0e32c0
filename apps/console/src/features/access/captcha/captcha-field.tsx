import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import type { Round } from './use-captcha.ts';

const CaptchaWidget = lazy(() => loadChunk(() => import('./captcha.tsx')));

/** The captcha of a form; nothing when the server requires none. */
export function CaptchaField({ round }: { round: Round | null }) {
  if (round?.challenge.required === false) return null;
  return (
    <div className="login-captcha">
      {round && (
        <Suspense>
          <CaptchaWidget key={round.challenge.captchaId} round={round} />
        </Suspense>
      )}
    </div>
  );
}
