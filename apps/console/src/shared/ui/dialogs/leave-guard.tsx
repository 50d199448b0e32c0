import { Modal } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { session } from '../../session/session.ts';

/** Asks before unsaved input is lost: with a dialog inside the console, otherwise with the browser's own. */
export function LeaveGuard({ active }: { active: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && sessionLasts() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => sessionLasts() && event.preventDefault();
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

/** An ended session can no longer save anything, so the way to the sign-in page is not blocked. */
export function sessionLasts(): boolean {
  return session.get().status === 'signedIn';
}

/** The same for a form in a dialog: a close function, and the guard to render with it. */
export function useGuardedClose(active: boolean, onClose: () => void): { close(): void; guard: ReactNode } {
  const [questionOpen, setQuestionOpen] = useState(false);
  return {
    close: () => (active ? setQuestionOpen(true) : onClose()),
    guard: (
      <>
        {/* Rendered only when necessary: the router supports a single blocker, and the page below may have its own. */}
        {active && <LeaveGuard active />}
        <LeaveQuestion open={questionOpen} onLeave={onClose} onStay={() => setQuestionOpen(false)} />
      </>
    ),
  };
}

/** The question before unsaved input is lost. */
export function LeaveQuestion({ open, onLeave, onStay }: { open: boolean; onLeave(): void; onStay(): void }) {
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
