import type { LoginLogRow } from '@chargehand/contract';
import { KICK_CAUSES } from '@chargehand/contract/session-ends';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Static } from 'typebox';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Browser } from '../../shared/ui/values/browser.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './logs.module.css';

type Login = Static<typeof LoginLogRow>;

/** An entry of the sign-in log, with links to more about its user and its address. */
export function LoginDetail({ login, onClose }: { login: Login | null; onClose(): void }) {
  const { t } = useTranslation('audit');
  const logOf = (filter: Record<string, string>) => `/manage/logs/action?${new URLSearchParams(filter)}`;
  return (
    <Drawer
      open={login !== null}
      onClose={onClose}
      size={520}
      title={login ? `${t(login.type === 0 ? 'loginTypes.login' : 'loginTypes.logout')} · ${login.userName}` : ''}
    >
      {login && (
        <div className="stack">
          <Describe
            items={[
              { key: 'at', label: t('log.at'), value: <ExactTime at={login.at} /> },
              { key: 'user', label: t('log.user'), value: login.userName },
              { key: 'result', label: t('log.result'), value: <LoginResult login={login} /> },
              { key: 'reason', label: t('log.reason'), value: login.reason && <LoginReason login={login} /> },
              { key: 'address', label: t('log.address'), value: <span className="mono">{login.address}</span> },
              {
                key: 'userAgent',
                label: t('log.userAgent'),
                value: login.userAgent && (
                  <>
                    <Browser userAgent={login.userAgent} />
                    <span className="log-user-agent quiet">{login.userAgent}</span>
                  </>
                ),
              },
            ]}
          />
          <Link to={logOf({ tab: 'logins', userName: login.userName })} onClick={onClose}>
            {t('log.loginsOf', { name: login.userName })}
          </Link>
          <Link to={logOf({ tab: 'actions', userName: login.userName })} onClick={onClose}>
            {t('log.actionsOf', { name: login.userName })}
          </Link>
        </div>
      )}
    </Drawer>
  );
}

export function LoginResult({ login: { succeeded } }: { login: Login }) {
  const { t } = useTranslation('audit');
  return (
    <Tag tone={succeeded ? 'idle' : 'faulted'} glyph={succeeded ? 'check' : 'cross'}>
      {succeeded ? t('log.succeeded') : t('log.failed')}
    </Tag>
  );
}

/** Why a session ended or sign-in was rejected, with the note. */
export function LoginReason({ login: { reason, cause, note } }: { login: Login }) {
  const { t } = useTranslation('audit');
  if (!reason) return null;
  const known = CAUSES.find((one) => one === cause);
  return (
    <>
      {known ? t(`causes.${known}`) : reasonWord(reason, t)}
      {note && <span className={`${css.logNote} quiet`}>{note}</span>}
    </>
  );
}

const CAUSES = [...KICK_CAUSES, 'owner', 'password'] as const;
const REASONS = ['authRejected', 'userLogout', 'loggedOut', 'networkTimeout', 'forcedRelogin', 'replaced'] as const;

/** The reason of a sign-out or a rejected sign-in (spec §3) as text. A reason without a text is shown unchanged. */
function reasonWord(reason: string, t: ReturnType<typeof useTranslation<'audit'>>['t']): string {
  const known = REASONS.find((one) => one === reason);
  return known ? t(`reasons.${known}`) : reason;
}
