import { brandColors } from '@chargehand/domain';

/** Replaces the colors that the server wrote into the page. */
export function showBrandColor(color: string): void {
  document.getElementById('brand-colors')?.remove();
  if (color === '') return;
  const { light, lightHover, dark, darkHover } = brandColors(color);
  const style = document.createElement('style');
  style.id = 'brand-colors';
  const tokens = `--primary:light-dark(${light},${dark});--primary-hover:light-dark(${lightHover},${darkHover})`;
  style.textContent = `html:root{${tokens}}`;
  document.head.append(style);
}
