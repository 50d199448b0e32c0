import type { RoleDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useTabLabel } from '../../../shared/hooks/use-tab-label.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { ErrorState } from '../../../shared/ui/error-state.tsx';
import { LeaveGuard } from '../../../shared/ui/leave-guard.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx';
import '../people.css';

/** The role of the address. */
export function useRole() {
  const id = Number(useParams().RoeId);
  const role = useQuery({ ...queryOf('readRole', { params: { id } }, { quiet: true }), ...EDITED });
  useTabLabel(role.data?.name);
  return role;
}

interface Props {
  title: string;
  role: RoleDetail;
  /** which of the two authorizations this page is */
  part: 'menu' | 'data';
  dirty: boolean;
  saving: boolean;
  onSave(): void;
  onReset(): void;
  problem: string | null;
  children: ReactNode;
}

/** One of the two authorizations of a role: its heading, the way to the other, and saving. */
export function RolePage({ title, role, part, dirty, saving, onSave, onReset, problem, children }: Props) {
  const { t } = useTranslation('people');
  const other = part === 'menu' ? 'data' : 'menu';
  const mayOther = usePermitted([other === 'menu' ? 'auth_role_authMenu' : 'auth_role_authData']);
  return (
    <Page
      title={title}
      note={
        <>
          {role.name} · {t('role.userCount', { count: role.users })}
        </>
      }
      actions={
        <>
          {mayOther && (
            <Link to={`/manage/role/auth/${other}/${role.id}`}>
              {t(other === 'menu' ? 'role.toMenus' : 'role.toData')}
            </Link>
          )}
          <Button disabled={!dirty || saving} onClick={onReset}>
            {t('discard')}
          </Button>
          <Button type="primary" disabled={!dirty || !role.grantable} loading={saving} onClick={onSave}>
            {t('save')}
          </Button>
        </>
      }
    >
      <LeaveGuard active={dirty && !saving} />
      {!role.grantable && <p className="warning-note">{t('role.beyond')}</p>}
      {problem !== null && (
        <p className="error-note" role="alert">
          {problem}
        </p>
      )}
      {children}
    </Page>
  );
}

/** What stands in the place of a role that is not there yet. */
export function RolePending({ title, role }: { title: string; role: ReturnType<typeof useRole> }) {
  return (
    <Page title={title}>
      {role.isError ? (
        <ErrorState error={role.error} onRetry={() => void role.refetch()} />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </Page>
  );
}
