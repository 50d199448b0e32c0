/**
 * The tab and the section that an address names. A section decides, because addresses from before the tabs have it next to
 * another tab: `?tab=details&section=alarms`. `?tab=issues` named a tab that is a section now,
 * and a path may name a tab: `/detail/7/operations`. Without both: the first.
 */
export function openSection<T extends { key: string; sections: readonly { key: string }[] }>(
  tabs: readonly T[],
  wantedTab: string | null,
  wantedSection: string | null,
): { tab: T; section: T['sections'][number] } {
  const all = tabs.flatMap((tab) => tab.sections.map((section) => ({ tab, section })));
  const found =
    all.find(({ section }) => section.key === wantedSection) ??
    all.find(({ tab }) => tab.key === wantedTab) ??
    all.find(({ tab }) => tab.key === wantedSection) ??
    all.find(({ section }) => section.key === wantedTab) ??
    all[0];
  if (!found) throw new Error('The page has no section');
  return found;
}
