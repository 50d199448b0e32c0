/** The page of a device. */
export function detailPath(id: number): string {
  return `/manage/device/detail/${id}`;
}
