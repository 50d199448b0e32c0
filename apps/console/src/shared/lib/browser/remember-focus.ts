/** Where the focus was. */
interface Place {
  /** Gives the focus back, or to the nearest around it that takes one (a row, a dialog) when it has gone meanwhile. */
  giveBack(): void;
  /** Moves the focus there from a button whose work is done, and which goes; not from anywhere else. */
  moveOut(): void;
}

/** Remembers what has the focus. */
export function rememberFocus(): Place {
  const ways: HTMLElement[] = [];
  for (let at = document.activeElement; at !== null && at !== document.body; at = at.parentElement) {
    if (at instanceof HTMLElement && (ways.length === 0 || at.hasAttribute('tabindex'))) ways.push(at);
  }
  const [first, ...around] = ways;
  const focusOne = (of: readonly HTMLElement[]) => of.find((one) => one.isConnected && one.checkVisibility())?.focus();
  return {
    giveBack: () => focusOne(ways),
    moveOut() {
      const now = document.activeElement;
      if (now === first || now === document.body) focusOne(around);
    },
  };
}
