import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { LeaveQuestion, sessionLasts } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import type { DraftSaver } from './draft-saver.ts';

/**
 * Saves the draft before the page is left. Only when that fails does it ask. Closing the browser asks while something is
 * not saved, because there is no time to wait for the server.
 */
export function LeaveDraft({ saver, unsaved }: { saver: DraftSaver; unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved && sessionLasts() && currentLocation.pathname !== nextLocation.pathname,
  );
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it blocks
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void saver.flush().then((saved) => (saved ? blocker.proceed() : setFailed(true)));
  }, [blocker.state]);
  useEffect(() => {
    if (!unsaved) return;
    const leave = (event: BeforeUnloadEvent) => {
      if (sessionLasts()) event.preventDefault();
    };
    addEventListener('beforeunload', leave);
    return () => removeEventListener('beforeunload', leave);
  }, [unsaved]);
  return (
    <LeaveQuestion
      open={failed && blocker.state === 'blocked'}
      onLeave={() => blocker.proceed?.()}
      onStay={() => {
        setFailed(false);
        blocker.reset?.();
      }}
    />
  );
}
