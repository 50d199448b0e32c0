import { useBranding, useProductName } from '../../branding/branding.ts';

/** The logo of the installation; without one, that of the product: a C with a spark. */
export function Logo({ size = 24 }: { size?: number }) {
  const { logo } = useBranding();
  if (logo) return <img src={logo} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        d="M24.5 9.2A11 11 0 1 0 24.5 22.8"
        fill="none"
        stroke="currentColor"
        strokeWidth="3.8"
        strokeLinecap="round"
      />
      <path d="M18.9 7.4 12.4 17.4h5.3l-2.3 7.6 8.4-10.8h-5.7z" fill="var(--mark)" />
    </svg>
  );
}

/** The name of the product, which may be long. */
export function ProductName() {
  return (
    <span className="product-name" translate="no">
      {useProductName()}
    </span>
  );
}
