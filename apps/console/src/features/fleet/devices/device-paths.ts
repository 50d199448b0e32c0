/** The page of a device. */
export function detailPath(id: number): string {
  return `/manage/device/detail/${id}`;
}

/** The page with the printable labels of devices. */
export function labelsPath(ids: readonly number[]): string {
  return `/manage/device/labels?ids=${ids.join(',')}`;
}
