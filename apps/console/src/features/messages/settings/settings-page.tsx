import type { OwnMessageSettings, PermissionKey } from '@chargehand/contract';
import {
  isForVendor,
  keysOfMessage,
  type MessageType,
  PLACE_SOURCES,
  type PlaceSource,
  permits,
} from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryClient, queryOf } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { holderOf, useSession } from '../../../shared/session/session.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { SaveBar } from '../../../shared/ui/form-page/save-bar.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { bodyOf, enteredOf } from './entered.ts';
import { Mutes } from './mutes.tsx';
import { PushPanel } from './push-panel.tsx';
import css from './settings.module.css';
import { TimesPanel } from './times-panel.tsx';
import { TypesTable } from './types-table.tsx';

/** How the user is notified of each type of message, when, and what they muted. */
export default function MessageSettingsPage() {
  const { t: routes } = useTranslation('routes');
  const settings = useQuery({ ...queryOf('readMessageSettings', {}, { quiet: true }), ...EDITED });
  if (settings.data) return <SettingsForm saved={settings.data} />;
  return (
    <Page title={routes('messageSetting')}>
      {settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </Page>
  );
}

function SettingsForm({ saved }: { saved: OwnMessageSettings }) {
  const { t } = useTranslation('messages');
  const { t: routes } = useTranslation('routes');
  const [entered, setEntered] = useEntered(saved, enteredOf);
  const holder = holderOf(useSession());
  const { user } = useUser();
  const offered = (type: MessageType) =>
    permits(holder, keysOfMessage(type) as PermissionKey[], 'any') &&
    (!isForVendor(type) || user.root || user.platformVendor);
  const save = useMutation({
    mutationFn: () => call('saveMessageSettings', { body: bodyOf(entered) }, { quiet: true }),
    onSuccess(answer) {
      queryClient.setQueryData(queryOf('readMessageSettings', {}).queryKey, answer);
      toast.success(t('settings.saved'));
    },
  });
  const dirty = JSON.stringify(bodyOf(entered)) !== JSON.stringify(bodyOf(enteredOf(saved)));
  const sameTimes = entered.quietOn && entered.quietFrom === entered.quietTo;
  return (
    <Page title={routes('messageSetting')} note={t('settings.intro')}>
      <Addresses saved={saved} />
      <Panel title={t('settings.types')}>
        <TypesTable
          types={saved.types}
          offered={offered}
          // Without a registered browser, the setting of pushes would have no effect.
          channels={saved.browsers > 0 ? ['inApp', 'email', 'push'] : ['inApp', 'email']}
          source="user"
          sourceName={(source) => t(`sources.${source}`)}
          own={entered.own}
          ties={tiesOf(saved)}
          onChange={(own) => setEntered({ ...entered, own })}
        />
        <Places saved={saved} />
      </Panel>
      <TimesPanel entered={entered} onChange={(change) => setEntered({ ...entered, ...change })} />
      <PushPanel />
      <Mutes />
      <SaveBar dirty={dirty} disabled={sameTimes} save={save} onDiscard={() => setEntered(enteredOf(saved))} />
    </Page>
  );
}

/** What decides for this user at some places or times, before or after their own setting. */
function tiesOf({ shifts, receiverOf }: OwnMessageSettings): PlaceSource[] {
  return PLACE_SOURCES.filter((tie) => (tie === 'onCall' ? shifts.length > 0 : receiverOf.total > 0));
}

/** The shifts and sites that the exceptions of the table apply to. */
function Places({ saved: { shifts, receiverOf } }: { saved: OwnMessageSettings }) {
  const { t } = useTranslation('messages');
  const { sites, total } = receiverOf;
  return (
    <>
      <ul className={css.places}>
        {shifts.map(({ place, from, to, substitute }) => (
          <li key={`${place} ${from} ${substitute}`}>
            <span>{t(substitute ? 'settings.substituteAt' : 'settings.onDutyAt', { place })}</span>{' '}
            <span className="quiet">
              <ExactTime at={from} /> – <ExactTime at={to} />
            </span>
          </li>
        ))}
        {total > 0 && (
          <li>
            {t('settings.receiverAt', { sites: sites.join(t('ties.separator')) })}
            {total > sites.length && ` ${t('moreSites', { count: total - sites.length })}`}
          </li>
        )}
      </ul>
      <p className={`quiet ${css.note}`}>{t('settings.siteNote')}</p>
    </>
  );
}

/** What is missing to receive mails. */
function Addresses({ saved: { email } }: { saved: OwnMessageSettings }) {
  const { t } = useTranslation('messages');
  const mayMy = usePermitted(['auth_my']);
  if (email !== null) return null;
  return (
    <p className="warning-note">
      {t('settings.noAddress')}{' '}
      {mayMy ? <Link to="/manage/my">{t('settings.addAddress')}</Link> : t('settings.requestAddress')}
    </p>
  );
}
