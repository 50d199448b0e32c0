import 'altcha/external';
import 'altcha/altcha.css';
import 'altcha/i18n/zh-cn';
import type { AltchaWidgetElement } from 'altcha/external';
import type {} from 'altcha/types/react';
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker';
import ShaWorker from 'altcha/workers/sha?worker';
import { useEffect, useRef } from 'react';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import type { Round } from './use-captcha.ts';
import './captcha.css';

for (const hash of ['SHA-256', 'SHA-384', 'SHA-512']) {
  $altcha.algorithms.set(hash, () => new ShaWorker());
  $altcha.algorithms.set(`PBKDF2/${hash}`, () => new Pbkdf2Worker());
}

/**
 * The captcha: work for the machine, nothing to read or hear for the person. It begins as soon as it is there, so that
 * it is usually done before the password is typed, and it runs from this host only.
 */
export default function Captcha({ round }: { round: Round }) {
  const locale = useLocale();
  const widget = useRef<AltchaWidgetElement>(null);

  useEffect(() => {
    const element = widget.current;
    if (!element) return;
    const changed = (event: Event) => {
      const { state, payload } = (event as CustomEvent<{ state: string; payload?: string }>).detail;
      if (state === 'verified' && payload) round.work.resolve(payload);
      else if (state === 'error' || state === 'expired') round.work.resolve(null);
    };
    element.addEventListener('statechange', changed);
    begin(element, round.challenge.challenge).catch((error: unknown) => {
      console.error('The captcha could not begin', error);
      round.work.resolve(null);
    });
    return () => element.removeEventListener('statechange', changed);
  }, [round]);

  return <altcha-widget ref={widget} language={locale === 'zh-CN' ? 'zh-cn' : 'en'} />;
}

async function begin(element: AltchaWidgetElement, challenge: unknown): Promise<void> {
  // The element has its methods only from the microtask on that follows its arrival in the page.
  await Promise.resolve();
  await element.configure({
    challenge: challenge as Parameters<AltchaWidgetElement['configure']>[0]['challenge'],
    hideFooter: true,
    hideLogo: true,
    humanInteractionSignature: false,
    minDuration: 0,
  });
  await element.verify();
}
