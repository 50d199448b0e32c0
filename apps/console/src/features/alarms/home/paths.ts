/** The path of the alarm list with filters. */
export function alarmsPath(filters: Record<string, string>): string {
  const search = new URLSearchParams(filters).toString();
  return `/manage/device/alarms${search && `?${search}`}`;
}
