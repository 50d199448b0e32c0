import { brandStyle } from '@chargehand/domain';

/** Replaces the colors that the server wrote into the page. */
export function showBrandColor(color: string): void {
  document.getElementById('brand-colors')?.remove();
  if (color === '') return;
  const style = document.createElement('style');
  style.id = 'brand-colors';
  style.textContent = brandStyle(color);
  document.head.append(style);
}
