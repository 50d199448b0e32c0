import type { LinkRow } from '@chargehand/contract';
import { Button, Modal } from 'antd';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useBlocker, useSearchParams } from 'react-router';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { sessionLasts } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { WatchTerminals } from '../guests/watch-terminals.tsx';
import { useLinks } from '../list/use-links.ts';
import { linkPath, terminalPath } from '../shared/link-state.ts';
import { KeySignIn } from './key-sign-in.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import css from './terminal.module.css';

/** The end of a link is emphasized for this time before it. */
const SOON_SECONDS = 300;

const loadView = () => loadChunk(() => import('./terminal-view.tsx'));
const TerminalView = lazy(loadView);

/** The terminals of a link, which is in the URL; without one, the links of the user that have terminals. */
export default function TerminalPage() {
  const id = Number(useSearchParams()[0].get('link')) || null;
  if (id === null) return <OwnLinks />;
  return (
    <DetailPage key={id} read="readLink" input={{ params: { id } }} nameOf={({ device }) => device.name}>
      {(link) => <Terminals link={link} />}
    </DetailPage>
  );
}

function OwnLinks() {
  const { t } = useTranslation('links');
  const { t: routes } = useTranslation('routes');
  const links = useLinks({}, false);
  const own = links.items?.filter(({ own, kind, state }) => own && kind === 'ssh' && state === 'open');
  return (
    <Page title={routes('deviceTerminal')}>
      {links.isLoadingError ? (
        <ErrorState error={links.error} onRetry={() => void links.refetch()} />
      ) : !own ? (
        <SkeletonRows rows={3} />
      ) : own.length === 0 ? (
        <EmptyState
          text={t('terminal.none')}
          action={<LinkButton to="/manage/device/list">{t('terminal.devices')}</LinkButton>}
        />
      ) : (
        <Panel title={t('terminal.choose')}>
          <ul className={`plain-list ${css.links}`}>
            {own.map(({ id, device, reason, until }) => (
              <li key={id}>
                <Link to={terminalPath(id)}>{device.name}</Link> <span className="quiet">{reason}</span>{' '}
                <span className={css.until}>
                  {t('until')} <ExactTime at={until} />
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Page>
  );
}

interface Opened {
  key: string;
  /** of the terminal */
  id: number;
  number: number;
  ended: boolean;
}

function Terminals({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const id = useId();
  const problem = problemOf(link);
  const usual = link.shellUser === null ? 'password' : 'key';
  const [signsIn, setSignsIn] = useState<'key' | 'password' | null>(problem === null ? usual : null);
  const [refused, setRefused] = useState<string | null>(null);
  const [userName, setUserName] = useState('');
  const [opened, setOpened] = useState<Opened[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  // While the user signs in.
  useEffect(() => {
    loadView().catch((error: unknown) => console.warn('The terminal is loaded when it is opened', error));
  }, []);
  const shown = opened.find(({ key }) => key === chosen) ?? opened.at(-1);

  function ask(how: 'key' | 'password') {
    setRefused(null);
    setSignsIn(how);
  }
  function add({ key, id }: { key: string; id: number }) {
    setSignsIn(null);
    setOpened((all) => [...all, { key, id, number: Math.max(0, ...all.map((one) => one.number)) + 1, ended: false }]);
    setChosen(key);
  }
  function remove(key: string) {
    setOpened((all) => all.filter((one) => one.key !== key));
    setChosen(null);
  }
  return (
    <Page
      title={t('terminal.of', { name: link.device.name })}
      actions={
        problem === null && (
          <>
            {usual === 'key' && <Button onClick={() => ask('password')}>{t('terminal.otherUser')}</Button>}
            <Button type={opened.length === 0 ? 'primary' : 'default'} onClick={() => ask(usual)}>
              {t('terminal.new')}
            </Button>
          </>
        )
      }
    >
      <LinkLine link={link} />
      <LeaveTerminals active={opened.some(({ ended }) => !ended)} />
      {problem !== null && (
        <p className="warning-note" role="note">
          <span>{t(`terminal.${problem}`)}</span>{' '}
          <Link to={linkPath(link.id)}>{t('title', { kind: t(`kinds.${link.kind}`), name: link.device.name })}</Link>
        </p>
      )}
      {problem === 'notOwn' && link.state === 'open' && <WatchTerminals link={link} />}
      {shown && (
        <div className="field-row">
          <div className={css.tabs} role="tablist" aria-label={t('terminal.tabs')}>
            {opened.map(({ key, number }) => (
              <button
                key={key}
                type="button"
                role="tab"
                id={`${id}-${number}`}
                aria-selected={key === shown.key}
                onClick={() => setChosen(key)}
              >
                {t('terminal.tab', { number })}
              </button>
            ))}
          </div>
          <Button onClick={() => remove(shown.key)}>{t('terminal.close')}</Button>
        </div>
      )}
      {opened.map(({ key, id: terminalId, number }) => (
        <div key={key} role="tabpanel" aria-labelledby={`${id}-${number}`} hidden={key !== shown?.key}>
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <TerminalView
              terminalKey={key}
              linkId={link.id}
              terminalId={terminalId}
              shown={key === shown?.key}
              onEnded={() => setOpened((all) => all.map((one) => (one.key === key ? { ...one, ended: true } : one)))}
              onAgain={
                problem === null
                  ? () => {
                      remove(key);
                      ask(usual);
                    }
                  : null
              }
            />
          </Suspense>
        </div>
      ))}
      {signsIn === 'key' && link.shellUser !== null && problem === null && (
        <KeySignIn
          link={link}
          userName={link.shellUser}
          onOpened={add}
          onFailed={(reason) => {
            setRefused(reason);
            setSignsIn('password');
          }}
        />
      )}
      {signsIn === 'password' && problem === null && (
        <SignInDialog
          link={link}
          userName={userName}
          refused={refused}
          onOpened={(terminal, name) => {
            setUserName(name);
            add(terminal);
          }}
          onClose={() => setSignsIn(null)}
        />
      )}
    </Page>
  );
}

/** What the link is for, who requested it if it was another user, when it ends, and the way to its dialog. */
function LinkLine({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const { id, own, reason, requestedBy, state, until } = link;
  const left = (Date.parse(until) - useNow()) / 1_000;
  return (
    <p className={state === 'open' && left < SOON_SECONDS ? 'warning-note' : 'quiet'}>
      <span className={css.reason}>{reason}</span>
      {!own && (
        <span className={css.until}>
          {t('user')} {requestedBy}
        </span>
      )}
      {state === 'open' && (
        <span className={css.until}>
          {t('until')} <ExactTime at={until} /> (<Duration seconds={Math.max(0, left)} />)
        </span>
      )}
      <Link to={linkPath(id)}>{t('terminal.details')}</Link>
    </p>
  );
}

/** Why no terminal can be opened; null when one can. */
function problemOf({ kind, own, state }: LinkRow): 'notSsh' | 'notOwn' | 'notOpen' | null {
  if (kind !== 'ssh') return 'notSsh';
  if (!own) return 'notOwn';
  return state === 'open' ? null : 'notOpen';
}

/** Asks before the user leaves the page, which closes its terminals. */
function LeaveTerminals({ active }: { active: boolean }) {
  const { t } = useTranslation('links');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active &&
      sessionLasts() &&
      currentLocation.pathname + currentLocation.search !== nextLocation.pathname + nextLocation.search,
  );
  useEffect(() => {
    if (!active) return;
    const confirm = (event: BeforeUnloadEvent) => sessionLasts() && event.preventDefault();
    addEventListener('beforeunload', confirm);
    return () => removeEventListener('beforeunload', confirm);
  }, [active]);
  return (
    <Modal
      open={blocker.state === 'blocked'}
      title={t('terminal.leave')}
      okText={t('terminal.leaveOk')}
      cancelText={t('terminal.stay')}
      okButtonProps={{ danger: true }}
      onOk={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
      width={420}
    >
      <p>{t('terminal.leaveText')}</p>
    </Modal>
  );
}
