import { type Levels, mayEditModels } from '@chargehand/domain';
import { useUser } from '../../shared/session/use-user.ts';

export { useNames } from '../../shared/i18n/use-names.ts';

/** True for who may change the data model and device models; the server decides again. */
export function useEditsModels(): boolean {
  const { user, info } = useUser();
  return mayEditModels({ ...user, levels: info.role.levels as Levels });
}
