import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Lines, Page, Paging, Revision, Time } from '../schemas.ts';

/** A published version. It never changes. */
export const PolicyRow = Exact({
  /** the id of the version */
  id: Id,
  version: Id,
  publishedAt: Time,
  /** empty for the version included in the product */
  publishedBy: Type.String(),
  /** number of users who accepted it */
  accepted: Type.Integer(),
});
export type PolicyRow = Static<typeof PolicyRow>;

export const PolicyDetail = Exact({
  ...PolicyRow.properties,
  contentEn: Type.String(),
  contentZh: Type.String(),
});
export type PolicyDetail = Static<typeof PolicyDetail>;

/** The acceptances of a version. */
export const AcceptanceRow = Exact({
  /** unique id of the row */
  id: Type.Integer(),
  userId: Id,
  userName: Type.String(),
  nickName: Type.String(),
  customerName: Type.String(),
  version: Id,
  acceptedAt: Time,
});
export type AcceptanceRow = Static<typeof AcceptanceRow>;

/** Maximum length of a policy in one language, in characters; far more than a real policy needs. */
const LONGEST = 50_000;
const ACCEPTANCE_SORTS = ['acceptedAt', 'userName'] as const;
const filters = {
  search: Type.Optional(Type.String({ maxLength: 100 })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
};
/** null when there is no draft */
const DraftRevision = Type.Union([Revision, Type.Null()]);
/** The draft on which this text is based. The request is rejected when another draft has been saved since. */
const SeenDraft = Type.Optional(DraftRevision);
const path = '/api/auth/sys/privacy-policies';
const acceptancePath = '/api/auth/sys/privacy-acceptances';
const route = { keys: ['auth_privacy'] } as const;

export const privacyEndpoints = {
  listPolicies: endpoint({
    id: 'privacyPolicies.list',
    method: 'GET',
    path,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List published privacy policies, the current one first; platform vendor only',
    nameZh: '查询隐私政策版本',
    query: Exact({ page: Paging([]).page, pageSize: Paging([]).pageSize }),
    answer: Page(PolicyRow),
  }),
  readPolicy: endpoint({
    id: 'privacyPolicies.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'read',
    summary: 'Get a version of the privacy policy in both languages; platform vendor only',
    nameZh: '查看隐私政策版本',
    params: IdParams,
    answer: PolicyDetail,
  }),
  readPolicyDraft: endpoint({
    id: 'privacyPolicies.readDraft',
    method: 'GET',
    path: `${path}/draft`,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'read',
    summary: 'Get the draft of the next privacy policy, null if there is none; platform vendor only',
    nameZh: '查看隐私政策草稿',
    answer: Type.Union([
      Exact({
        contentEn: Type.String(),
        contentZh: Type.String(),
        updatedAt: Time,
        updatedBy: Type.String(),
        revision: Revision,
      }),
      Type.Null(),
    ]),
  }),
  savePolicyDraft: endpoint({
    id: 'privacyPolicies.saveDraft',
    method: 'PUT',
    path: `${path}/draft`,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'update',
    summary: 'Save a draft of the next privacy policy. A draft without text is deleted; platform vendor only',
    nameZh: '保存隐私政策草稿',
    body: Exact({
      contentEn: Lines({ maxLength: LONGEST }),
      contentZh: Lines({ maxLength: LONGEST }),
      revision: SeenDraft,
    }),
    answer: Exact({ revision: DraftRevision }),
  }),
  publishPolicy: endpoint({
    id: 'privacyPolicies.publish',
    method: 'POST',
    path,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'create',
    summary:
      'Publish the next privacy policy. All users must accept it before their next request; platform vendor only',
    nameZh: '发布隐私政策',
    body: Exact({
      contentEn: Lines({ minLength: 1, maxLength: LONGEST }),
      contentZh: Lines({ minLength: 1, maxLength: LONGEST }),
      revision: SeenDraft,
    }),
    answer: Exact({ version: Id }),
  }),
  listAcceptances: endpoint({
    id: 'privacyAcceptances.list',
    method: 'GET',
    path: acceptancePath,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'list',
    summary: 'List who accepted which version of the privacy policy; platform vendor only',
    nameZh: '查询隐私政策同意记录',
    query: Exact({ ...Paging(ACCEPTANCE_SORTS), ...filters }),
    answer: Page(AcceptanceRow),
  }),
  exportAcceptances: endpoint({
    id: 'privacyAcceptances.export',
    method: 'GET',
    path: `${acceptancePath}/export`,
    policy: { route, who: 'vendor', row: 'shared' },
    effect: 'export',
    summary: "Export the filtered acceptances as .xlsx. Headings are in the caller's language; platform vendor only",
    nameZh: '导出隐私政策同意记录',
    query: Exact({ sort: Paging(ACCEPTANCE_SORTS).sort, ...filters }),
    answer: null,
  }),
};
