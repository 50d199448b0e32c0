// Runs before the first paint, so that a chosen theme does not flash in the other one. The key is that of src/shared/theme/theme.ts.
try {
  const theme = localStorage.getItem('chargehand.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (error) {
  console.warn('The chosen theme cannot be read', error);
}
