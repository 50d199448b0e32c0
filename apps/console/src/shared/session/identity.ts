let changes = false;

/**
 * Starts or ends an impersonation and reloads at a path, because everything displayed belongs to another identity.
 * @throws the error of the change; then nothing changed
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

/** The session has another identity than this tab expected: reloads, unless a reload is already in progress. */
export function identityChanged(): void {
  if (!changes) location.reload();
}
