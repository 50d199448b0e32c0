import type { Pictures } from '../ports/pictures.ts';

/** For modules that are tested without an object store: no row has a picture. */
export const NO_PICTURES: Pictures = {
  change: async () => ({ key: undefined, settle: async () => undefined }),
  move: async () => ({ key: undefined, settle: async () => undefined }),
};
