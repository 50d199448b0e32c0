import type { RoleDetail } from '@chargehand/contract';
import {
  keysOfMessage,
  MESSAGE_TYPES,
  type MessageType,
  messageSettingOf,
  type SettingSource,
} from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { type Answer, call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryClient, queryOf } from '../../../shared/api/query.ts';
import { useEntered } from '../../../shared/hooks/use-entered.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { SaveBar } from '../../../shared/ui/form-page/save-bar.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Entered } from '../settings/entered.ts';
import { TypesTable } from '../settings/types-table.tsx';

/** How users of a role are notified who have not decided themselves. */
export default function RoleMessagesPage() {
  const { t: routes } = useTranslation('routes');
  const roleNameOf = useRoleName();
  const id = Number(useParams().RoeId);
  const title = routes('roleMessages');
  return (
    <DetailPage title={title} read="readRole" input={{ params: { id } }} nameOf={({ name }) => roleNameOf(name)}>
      {(role) => <Loaded key={role.id} title={title} role={role} />}
    </DetailPage>
  );
}

function Loaded({ title, role }: { title: string; role: RoleDetail }) {
  const settings = useQuery({
    ...queryOf('readRoleMessages', { params: { id: role.id } }, { quiet: true }),
    ...EDITED,
  });
  if (settings.data) return <Defaults title={title} role={role} saved={settings.data} />;
  return (
    <Page title={title}>
      {settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </Page>
  );
}

function Defaults({ title, role, saved }: { title: string; role: RoleDetail; saved: Answer<'readRoleMessages'> }) {
  const { t } = useTranslation('messages');
  const { t: routes } = useTranslation('routes');
  const roleNameOf = useRoleName();
  const name = roleNameOf(role.name);
  const mayEdit = usePermitted(['auth_role_authData']) && role.grantable;
  const [own, setOwn] = useEntered(saved, ownOf);
  const input = { params: { id: role.id } };
  const save = useMutation({
    mutationFn: () => call('saveRoleMessages', { ...input, body: { types: Object.values(own) } }, { quiet: true }),
    onSuccess(answer) {
      queryClient.setQueryData(queryOf('readRoleMessages', input).queryKey, answer);
      toast.success(t('roleDefaults.saved', { name }));
    },
  });
  const dirty = JSON.stringify(sorted(own)) !== JSON.stringify(sorted(ownOf(saved)));
  const facts = { own: null, role: null, emailAlarm: role.emailAlarm, siteReceiver: false, onCall: false };
  const types = MESSAGE_TYPES.map((type) => {
    const { setting, source } = messageSettingOf(type, facts);
    return { type, usual: { ...setting, source } };
  });
  return (
    <Page
      title={title}
      note={name}
      actions={<Link to={`/manage/role/auth/data/${role.id}`}>{routes('roleData')}</Link>}
    >
      <p>{t('roleDefaults.intro')}</p>
      {!role.grantable && <p className="warning-note">{t('roleDefaults.beyond')}</p>}
      <Panel title={t('settings.types')}>
        <TypesTable
          types={types}
          offered={(type) => reads(role, type)}
          channels={['inApp', 'email', 'push']}
          source="role"
          sourceName={(source: SettingSource) =>
            source === 'role' || source === 'emailAlarm' ? t(`roleDefaults.sources.${source}`) : t(`sources.${source}`)
          }
          own={own}
          onChange={setOwn}
          disabled={!mayEdit}
        />
      </Panel>
      <SaveBar dirty={dirty} disabled={!mayEdit} save={save} onDiscard={() => setOwn(ownOf(saved))} />
    </Page>
  );
}

/** The types that the role decides about. */
function ownOf({ types }: Answer<'readRoleMessages'>): Entered['own'] {
  const own = types.flatMap(({ source, ...row }) => (source === 'role' ? [[row.type, row] as const] : []));
  return Object.fromEntries(own);
}

function sorted(own: Entered['own']) {
  return MESSAGE_TYPES.map((type) => own[type] ?? null);
}

/** True if users of the role may open what a type of message is about. */
function reads({ keys }: RoleDetail, type: MessageType): boolean {
  const needed = keysOfMessage(type);
  return needed.length === 0 || needed.some((key) => (keys as readonly string[]).includes(key));
}
