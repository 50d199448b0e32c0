let shell: Promise<typeof import('./shell/shell.tsx')> | undefined;

/**
 * Loads the frame of the console. Calls share one import, as those of pages do (`loadScreen`): a second one would not wait
 * for its styles. A failed import is repeated.
 */
export function loadShell(): Promise<typeof import('./shell/shell.tsx')> {
  shell ??= import('./shell/shell.tsx').catch((error: unknown) => {
    shell = undefined;
    throw error;
  });
  return shell;
}
