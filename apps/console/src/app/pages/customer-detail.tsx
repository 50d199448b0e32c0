import { lazy } from 'react';
import { CustomerDetailPage, type CustomerParts } from '../../features/fleet/customers/customer-detail-page.tsx';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';

/** The page of a customer belongs to the feature `fleet`. Parts of other features are added here. */
const PARTS: CustomerParts = {
  issues: lazy(() =>
    loadChunk(async () => ({
      default: (await import('../../features/issues/sections/place-issues.tsx')).CustomerIssues,
    })),
  ),
  onCall: lazy(() =>
    loadChunk(async () => ({
      default: (await import('../../features/messages/on-call/on-call-section.tsx')).OnCallSection,
    })),
  ),
  tokens: lazy(() =>
    loadChunk(async () => {
      const [policy] = await Promise.all([import('../../features/tokens/policy-panel.tsx'), loadWords(['tokens'])]);
      return policy;
    }),
  ),
  links: lazy(() =>
    loadChunk(async () => {
      const [{ LinkPolicy }] = await Promise.all([
        import('../../features/links/policy/link-policy.tsx'),
        loadWords(['links']),
      ]);
      return { default: LinkPolicy };
    }),
  ),
};

export default function CustomerDetailScreen() {
  return <CustomerDetailPage parts={PARTS} />;
}
