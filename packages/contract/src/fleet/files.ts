import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, Time } from '../schemas.ts';

/**
 * Temporary keys for the object store (spec §3, "storage credential"), in S3 terms, and the objects they allow access
 * to. Objects use path-style addresses: `<endpoint>/<bucket>/<key>`.
 */
export const StorageCredential = Exact({
  accessKeyId: Type.String(),
  accessKeySecret: Type.String(),
  securityToken: Type.String(),
  expiration: Time,
  bucket: Type.String(),
  region: Type.String(),
  /** base URL without a trailing slash; empty: the origin of the console */
  endpoint: Type.String(),
  /** access is limited to keys with one of these prefixes */
  prefixes: Type.Array(Type.String()),
});
export type StorageCredential = Static<typeof StorageCredential>;

/**
 * The key of a picture in the object store: the key of the caller's own upload in requests, of the stored copy in
 * responses; null: no picture.
 */
export const PictureKey = Type.Union([Type.String({ maxLength: 256 }), Type.Null()]);

export const filesEndpoints = {
  readCredentials: endpoint({
    id: 'storage.read',
    method: 'GET',
    path: '/api/auth/sys/system/oss/sts/read',
    policy: { route: 'common', row: { object: 'pictures', from: 'query.customerId', optional: true } },
    effect: 'read',
    summary:
      'Get credentials to read pictures of customers in scope; valid for an hour. `customerId` selects one customer if the scope is too large',
    nameZh: '获取文件读取凭证',
    query: Exact({ customerId: Type.Optional(Id) }),
    answer: StorageCredential,
  }),
  writeCredentials: endpoint({
    id: 'storage.write',
    method: 'GET',
    path: '/api/auth/sys/system/oss/sts/write',
    policy: { route: 'common', row: 'own' },
    effect: 'create',
    summary: 'Get credentials to upload files; valid for an hour',
    nameZh: '获取文件上传凭证',
    answer: StorageCredential,
  }),
  readCredentialsAnonymous: endpoint({
    id: 'storage.readAnonymous',
    method: 'GET',
    path: '/api/unauth/oss/sts/read',
    policy: { route: 'public' },
    effect: 'read',
    summary: 'Get credentials to read public files; valid for an hour',
    nameZh: '获取公开文件读取凭证',
    answer: StorageCredential,
  }),
  writeCredentialsAnonymous: endpoint({
    id: 'storage.writeAnonymous',
    method: 'GET',
    path: '/api/unauth/oss/sts/write',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Get credentials for an anonymous upload to quarantine; valid for an hour. Limited by network address',
    nameZh: '获取匿名上传凭证',
    answer: StorageCredential,
  }),
  setOwnAvatar: endpoint({
    id: 'users.setOwnAvatar',
    method: 'PUT',
    path: '/api/auth/sys/user/owner/avatar',
    policy: { route: 'common', row: 'own' },
    effect: 'update',
    summary: 'Set or remove your own avatar',
    nameZh: '设置本人头像',
    body: Exact({ avatar: PictureKey }),
    answer: Exact({ avatar: PictureKey }),
  }),
};
