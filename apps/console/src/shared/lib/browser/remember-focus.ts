/** The element that had the focus. */
interface Place {
  /** Returns the focus, or moves it to the nearest focusable ancestor (a row, a dialog) when the element is gone. */
  giveBack(): void;
  /** Moves the focus there from a button that is about to disappear; does nothing otherwise. */
  moveOut(): void;
}

/** Remembers the focused element. */
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
