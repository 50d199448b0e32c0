// The service worker of pushes: shows messages while the console is closed, and opens what a message is about.
addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag, data: { url }, icon: '/favicon.svg' }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** Opens a page of the console, in a tab that is open already if there is one. */
async function open(url) {
  const { pathname, search } = new URL(url, location.origin);
  const page = new URL(pathname + search, location.origin).href;
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) return await clients.openWindow(page);
  await tab.focus();
  return await tab.navigate(page);
}
