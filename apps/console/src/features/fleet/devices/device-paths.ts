/** The page of a device. */
export function detailPath(id: number): string {
  return `/manage/device/detail/${id}`;
}

/** The labels of devices, to be printed. */
export function labelsPath(ids: readonly number[]): string {
  return `/manage/device/labels?ids=${ids.join(',')}`;
}
