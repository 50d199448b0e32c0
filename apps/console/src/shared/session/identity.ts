let changes = false;

/**
 * Has the session see as somebody else, or as itself again, and begins afresh at a path: all that is on screen is
 * somebody else's. @throws what the change throws; then nothing changed
 */
export async function changeIdentity(change: () => Promise<unknown>, path: string): Promise<void> {
  changes = true;
  try {
    await change();
  } catch (error) {
    changes = false;
    throw error;
  }
  location.assign(path);
}

/** The session sees as somebody else than this tab believed: it begins afresh, unless it is doing so already. */
export function identityChanged(): void {
  if (!changes) location.reload();
}
