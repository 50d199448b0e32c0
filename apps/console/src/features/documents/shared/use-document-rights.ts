import { type DocumentAccess, type Levels, levelSuffices, mayWriteDocument } from '@chargehand/domain';
import { useExternal } from '../../../shared/lib/external.ts';
import { screens } from '../../../shared/lib/screens.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';

const EDITOR = '/manage/docs/update/content/:categoryId/:id';

/** What the user may do with documents. The server checks it, too. */
export function useDocumentRights() {
  const { user, info } = useUser();
  const levels = info.role.levels as Levels;
  const writes = user.root || !user.readOnly;
  const lists = usePermitted(['auth_docs_list']);
  const searches = usePermitted(['auth_docs_search']);
  const reads = usePermitted(['auth_docs_detail']);
  const adds = usePermitted(['auth_docs_add']);
  const edits = usePermitted(['auth_docs_edit']);
  const editsContent = usePermitted(['auth_docs_content_edit']);
  const manages = usePermitted(['auth_docs_manage']);
  const managesCategories = usePermitted(['auth_docs_category_manage']);
  const hasEditor = useExternal(screens).some(({ path }) => path === EDITOR);
  const { customerId, platformVendor } = user;
  const mayWrite = (document: DocumentAccess) =>
    writes && mayWriteDocument({ customerId, platformVendor, levels }, document);
  return {
    levels,
    lists,
    searches,
    reads,
    manages,
    votes: writes,
    seesUnexplained: adds,
    add: writes && adds && levelSuffices(levels.wiki.write, 4),
    import: writes && manages && levelSuffices(levels.wiki.write, 4),
    export: manages && levelSuffices(levels.wiki.download, 4),
    categories: managesCategories,
    /** the owner of a new document, which users of the platform vendor choose */
    owner: platformVendor ? null : customerId,
    choosesOwner: platformVendor,
    editCategories: writes && platformVendor && managesCategories && levelSuffices(levels.wiki.write, 3),
    /** shows actions that then depend on the document */
    editsSome: writes && edits,
    deletesSome: writes && manages,
    edit: (document: DocumentAccess) => edits && mayWrite(document),
    editContent: (document: DocumentAccess) => hasEditor && editsContent && mayWrite(document),
    remove: (document: DocumentAccess) => manages && mayWrite(document),
  };
}
