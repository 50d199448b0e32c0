import { type Levels, mayEditModels } from '@chargehand/domain';
import { useUser } from '../../shared/session/use-user.ts';

export { useNames } from '../../shared/i18n/use-names.ts';

/** True for users who may change the data model and device models. The server checks it, too. */
export function useEditsModels(): boolean {
  const { user, info } = useUser();
  return mayEditModels({ ...user, levels: info.role.levels as Levels });
}
