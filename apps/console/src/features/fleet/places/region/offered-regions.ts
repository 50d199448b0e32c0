import type { RegionOption } from './regions.ts';

/** The options without regions that are turned off, except those of the present value. */
export function offeredRegions(options: readonly RegionOption[], [kept, ...below]: readonly string[]): RegionOption[] {
  return options.flatMap((option) => {
    if (option.off && option.value !== kept) return [];
    if (!option.children) return [option];
    return [{ ...option, children: offeredRegions(option.children, option.value === kept ? below : []) }];
  });
}
