export const customerPath = (id: number) => `/manage/customer/detail/${id}`;
export const sitePath = (id: number) => `/manage/site/detail/${id}`;
export const siteEditPath = (id: number) => `/manage/site/update/${id}`;
