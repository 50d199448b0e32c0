import type { SendState } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { Tag, type Tone } from './tag.tsx';

const LOOKS = {
  waiting: ['firmware-update', 'clock'],
  sent: ['plain', 'check'],
  failed: ['faulted', 'cross'],
  dropped: ['disabled', 'bar'],
} as const satisfies Record<SendState, readonly [Tone, string]>;

/** The state of what is sent to a receiver: a message, or an event. */
export function SendStateTag({ state, title, children }: { state: SendState; title?: string; children: ReactNode }) {
  const [tone, glyph] = LOOKS[state];
  return (
    <Tag tone={tone} glyph={glyph} {...(title === undefined ? {} : { title })}>
      {children}
    </Tag>
  );
}
