import { deviceRights, type Levels } from '@chargehand/domain';
import { useUser } from './use-user.ts';

/** Levels of a model do not change who may edit or export devices. */
const ANY_MODEL = { parameterRead: 5, parameterWrite: 5, control: 5 } as const;

/** What the levels of the user allow for devices of every model. */
export function useDeviceRights(): { edit: boolean; download: boolean } {
  const { info, user } = useUser();
  const { edit, download } = deviceRights(info.role.levels as Levels, ANY_MODEL);
  return { edit: edit && !user.readOnly, download };
}
