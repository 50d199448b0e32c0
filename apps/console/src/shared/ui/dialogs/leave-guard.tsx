import { Modal } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { queryClient } from '../../api/query.ts';
import { session } from '../../session/session.ts';

/** The changes that the server has answered, whose callbacks may still run. */
const answered = new WeakSet<object>();
const changes = queryClient.getMutationCache();
changes.config.onSuccess = (...[, , , change]) => void answered.add(change);

/** True while the server has not answered a change. What runs after an answer, such as opening a page, does not count. */
function isChanging(): boolean {
  return changes.getAll().some((change) => change.state.status === 'pending' && !answered.has(change));
}

/**
 * Asks before unsaved input, or the result of a running change, is lost: with a dialog inside the console, otherwise
 * with the browser's own. `pending`: a mutation is running. Pages that it opens when the server has answered are opened
 * without a question.
 */
export function LeaveGuard({ active = false, pending = false }: { active?: boolean; pending?: boolean }) {
  const asks = active || pending;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      (pending ? isChanging() : active) && sessionLasts() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => sessionLasts() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asks]);
  return (
    <LeaveQuestion
      open={blocker.state === 'blocked'}
      pending={pending}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  );
}

/** An ended session can no longer save anything, so the way to the sign-in page is not blocked. */
export function sessionLasts(): boolean {
  return session.get().status === 'signedIn';
}

/**
 * The same for a form in a dialog: a close function, and the guard to render with it. `active` is false while the form
 * is being saved: then the `pending` dialog asks.
 */
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

interface QuestionProps {
  open: boolean;
  /** a change is running */
  pending?: boolean;
  onLeave(): void;
  onStay(): void;
}

/** The question before unsaved input, or the result of a running change, is lost. */
export function LeaveQuestion({ open, pending = false, onLeave, onStay }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <Modal
      open={open}
      title={t(pending ? 'leave.pendingTitle' : 'leave.title')}
      okText={t('leave.leave')}
      cancelText={t('leave.stay')}
      okButtonProps={{ danger: true }}
      onOk={onLeave}
      onCancel={onStay}
      width={420}
    >
      <p>{t(pending ? 'leave.pendingText' : 'leave.text')}</p>
    </Modal>
  );
}
