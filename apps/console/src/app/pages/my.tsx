import { lazy } from 'react';
import { MyPage, type MyParts } from '../../features/account/my-page.tsx';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** The page of the user's own account. Parts of other features are added here. */
const PARTS: MyParts = { email: lazy(() => loadChunk(() => import('../../features/account/email-change.tsx'))) };

export default function MyScreen() {
  return <MyPage parts={PARTS} />;
}
