/** The page of shares, where the dialog for a new share of a file or folder, or for a request for files, opens. */
export function newSharePath(kind: 'file' | 'folder' | 'request', { id, name }: { id: number; name: string }): string {
  return `/manage/attach/shares?${new URLSearchParams({ new: kind, id: String(id), name })}`;
}
