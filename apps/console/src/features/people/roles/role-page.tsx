import type { RoleDetail } from '@chargehand/contract';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { SaveBar } from '../../../shared/ui/form-page/save-bar.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import '../people.module.css';

/** The page of the role in the URL, once it is loaded. */
export function RoleOf(props: { title: string; children(role: RoleDetail): ReactNode }) {
  const roleNameOf = useRoleName();
  const id = Number(useParams().RoeId);
  return (
    <DetailPage
      edited
      title={props.title}
      read="readRole"
      input={{ params: { id } }}
      nameOf={({ name }) => roleNameOf(name)}
    >
      {props.children}
    </DetailPage>
  );
}

interface Props {
  title: string;
  role: RoleDetail;
  /** menu or data authorization */
  part: 'menu' | 'data';
  dirty: boolean;
  save: ComponentProps<typeof SaveBar>['save'];
  onDiscard(): void;
  children: ReactNode;
}

/** One of the two authorizations of a role: header, link to the other one, and saving. */
export function RolePage({ title, role, part, dirty, save, onDiscard, children }: Props) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const other = part === 'menu' ? 'data' : 'menu';
  const mayOther = usePermitted([other === 'menu' ? 'auth_role_authMenu' : 'auth_role_authData']);
  return (
    <Page
      title={title}
      note={
        <>
          {roleNameOf(role.name)} · {t('role.userCount', { count: role.users })}
        </>
      }
      actions={
        <>
          {part === 'data' && <Link to={`/manage/role/auth/message/${role.id}`}>{routes('roleMessages')}</Link>}
          {mayOther && (
            <Link to={`/manage/role/auth/${other}/${role.id}`}>
              {t(other === 'menu' ? 'role.toMenus' : 'role.toData')}
            </Link>
          )}
        </>
      }
    >
      {!role.grantable && <p className="warning-note">{t('role.beyond')}</p>}
      {children}
      <SaveBar dirty={dirty} disabled={!role.grantable} save={save} onDiscard={onDiscard} />
    </Page>
  );
}
