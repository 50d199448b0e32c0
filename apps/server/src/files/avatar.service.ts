import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Pictures } from '../ports/pictures.ts';
import { lockAvatar, setAvatar } from './files.store.ts';

export type AvatarService = ReturnType<typeof avatarService>;

/** The picture that users choose for themselves. */
export function avatarService({ db, pictures }: { db: Kysely<Database>; pictures: Pictures }) {
  return {
    /** @throws {Problem} with the field `avatar`, when it is not their upload or not a picture */
    async setOwn(caller: Caller, entered: string | null): Promise<{ avatar: string | null }> {
      const { customerId, userId } = caller;
      const { avatar, settle } = await db.transaction().execute(async (trx) => {
        const current = await lockAvatar(trx, userId);
        const picture = await pictures.change(caller, { field: 'avatar', entered, current, customerId });
        if (picture.key === undefined) return { avatar: current, settle: picture.settle };
        await setAvatar(trx, userId, picture.key);
        await logAction(trx, caller, {
          operation: 'edit',
          objectType: 'user',
          objectId: String(userId),
          objectName: caller.userName,
          customerId,
          siteId: null,
          before: { avatar: current },
          after: { avatar: picture.key },
        });
        return { avatar: picture.key, settle: picture.settle };
      });
      await settle();
      return { avatar };
    },
  };
}
