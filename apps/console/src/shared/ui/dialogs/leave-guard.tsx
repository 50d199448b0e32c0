import { Modal } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { session } from '../../session/session.ts';

/** Asks before entered and unsaved work is left behind: inside the console by a dialog, else by the browser's own. */
export function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && lasts() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => lasts() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [active]);
  return (
    <LeaveQuestion
      open={blocker.state === 'blocked'}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  );
}

/** A session that is over saves nothing any more: the only way is to sign in, and no question stands in it. */
function lasts(): boolean {
  return session.get().status === 'signedIn';
}

/** The same for a form in a dialog: what closes it, and the guard to show with it. */
export function useGuardedClose(active: boolean, onClose: () => void): { close(): void; guard: ReactNode } {
  const [asks, setAsks] = useState(false);
  return {
    close: () => (active ? setAsks(true) : onClose()),
    guard: (
      <>
        {/* Only while it has something to ask: the router asks but one guard, and the page below may have its own. */}
        {active && <LeaveGuard active />}
        <LeaveQuestion open={asks} onLeave={onClose} onStay={() => setAsks(false)} />
      </>
    ),
  };
}

function LeaveQuestion({ open, onLeave, onStay }: { open: boolean; onLeave(): void; onStay(): void }) {
  const { t } = useTranslation();
  return (
    <Modal
      open={open}
      title={t('leave.title')}
      okText={t('leave.leave')}
      cancelText={t('leave.stay')}
      okButtonProps={{ danger: true }}
      onOk={onLeave}
      onCancel={onStay}
      width={420}
    >
      <p>{t('leave.text')}</p>
    </Modal>
  );
}
