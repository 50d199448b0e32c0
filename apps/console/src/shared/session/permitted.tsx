import type { PermissionKey } from '@chargehand/contract';
import { type PermissionMode, permits } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { holderOf, useSession } from './session.ts';

/** Shows its children only to users with the codes: `any` of them (default), all (`and`), or none (`ban`) (spec §6). */
export function Permitted(props: { codes: readonly PermissionKey[]; mode?: PermissionMode; children: ReactNode }) {
  return usePermitted(props.codes, props.mode) ? props.children : null;
}

/** The same check for code: true when the user may see or do it. */
export function usePermitted(codes: readonly PermissionKey[], mode: PermissionMode = 'any'): boolean {
  return permits(holderOf(useSession()), codes, mode);
}
