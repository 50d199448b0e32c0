import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { LeaveQuestion, sessionLasts } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import type { DraftSaver } from './draft-saver.ts';

/** How long leaving waits for the draft to be saved before it asks. A stalled connection may answer much later. */
const LEAVE_MS = 5_000;

/**
 * Saves the draft before the page is left, and asks only when that fails or takes too long. Closing the browser asks
 * while something is not saved, because there is no time to wait for the server.
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
    let waits = true;
    const ask = () => {
      if (waits) setFailed(true);
    };
    const timer = setTimeout(ask, LEAVE_MS);
    // A draft that is saved while the question is open makes the question unnecessary.
    void saver.flush().then((saved) => (saved && waits ? blocker.proceed() : ask()));
    return () => {
      waits = false;
      clearTimeout(timer);
    };
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
