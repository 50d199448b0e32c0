import { external } from '../lib/external.ts';

const KEY = 'chargehand.uploads';
const known = external(localStorage.getItem(KEY) !== null);

// Another tab has begun to upload: this one shows it too.
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue !== null) known.set(true);
});

/** True while this browser has unfinished uploads, also after a reload: the console then loads their list. */
export const unfinishedUploads = {
  ...known,
  set(unfinished: boolean): void {
    if (unfinished) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
    if (unfinished) known.set(true);
  },
};
