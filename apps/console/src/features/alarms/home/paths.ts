/** The list of alarms, narrowed. */
export function alarmsPath(filters: Record<string, string>): string {
  const search = new URLSearchParams(filters).toString();
  return `/manage/device/alarms${search && `?${search}`}`;
}
