/**
 * The routes whose pages are not built yet; each shows a page that says so. A test keeps this list in step with the
 * route table. The product is complete when it is empty.
 */
export const NOT_AVAILABLE: readonly string[] = [
  '/manage/device/terminal',
  '/manage/logs/protocol',
  '/manage/logs/error',
  '/manage/system/dashboard',
  '/manage/system/application/list',
  '/manage/system/application/add',
  '/manage/system/application/update/:id',
  '/manage/system/application/detail/:id',
];
