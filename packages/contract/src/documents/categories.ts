import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams } from '../schemas.ts';
import { CategoryRow, NullableId } from './schemas.ts';

const path = '/api/auth/sys/document-categories';
const manages = { route: { keys: ['auth_docs_category_manage'] }, row: 'shared' } as const;
/** The categories are the same for all customers, so only users of the platform vendor change them. */
const writes = { ...manages, who: 'vendor', level: [{ area: 'wiki', verb: 'write', level: 3 }] } as const;
const CategoryName = Type.String({ minLength: 1, maxLength: 64 });

export const categoryEndpoints = {
  listCategories: endpoint({
    id: 'documentCategories.list',
    method: 'GET',
    path,
    policy: {
      route: { keys: ['auth_docs_home_list_all', 'auth_docs_list', 'auth_docs_detail', 'auth_docs_category_manage'] },
      row: 'shared',
    },
    effect: 'list',
    summary: 'List the categories of documents, in their order',
    nameZh: '查询文档分类',
    answer: Exact({ items: Type.Array(CategoryRow) }),
  }),
  createCategory: endpoint({
    id: 'documentCategories.create',
    method: 'POST',
    path,
    policy: writes,
    effect: 'create',
    summary: 'Add a category of documents at the end of its level',
    nameZh: '新增文档分类',
    body: Exact({ parentId: NullableId, nameEn: CategoryName, nameZh: CategoryName }),
    answer: Exact({ id: Id }),
  }),
  updateCategory: endpoint({
    id: 'documentCategories.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: writes,
    effect: 'update',
    summary: 'Rename a category of documents',
    nameZh: '重命名文档分类',
    params: IdParams,
    body: Exact({ nameEn: Type.Optional(CategoryName), nameZh: Type.Optional(CategoryName) }),
    answer: Type.Null(),
  }),
  moveCategory: endpoint({
    id: 'documentCategories.move',
    method: 'POST',
    path: `${path}/:id/move`,
    policy: writes,
    effect: 'update',
    summary: 'Move a category below another one, to a position',
    nameZh: '移动文档分类',
    params: IdParams,
    body: Exact({ parentId: NullableId, index: Type.Integer({ minimum: 0, maximum: 10_000 }) }),
    answer: Type.Null(),
  }),
  deleteCategory: endpoint({
    id: 'documentCategories.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: writes,
    effect: 'delete',
    summary: 'Delete a category without documents and subcategories',
    nameZh: '删除文档分类',
    params: IdParams,
    answer: Type.Null(),
  }),
};
