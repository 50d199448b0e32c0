/** True while a dialog or drawer of Ant Design covers the page, whose keys and input then come first. */
export function isDialogOpen(): boolean {
  return document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open') !== null;
}
