import { useEffect } from "react";

/** Above this number the icon shows "9+", as more digits cannot be read at its size. */
const MAX_ICON_COUNT = 9;

/** Shows in the tab's title and icon how many chats wait for the person, whatever page sets them. */
export const useWaitingBadge = (count: number): void => {
  // Syncs with the document's head: pages set the title, and Next adds the icon again when the page changes.
  useEffect(() => {
    if (count === 0) return;
    const apply = (): void => {
      const title = withoutCount(document.title);
      if (document.title !== `(${count}) ${title}`) document.title = `(${count}) ${title}`;
      for (const link of listIcons()) {
        link.dataset.original ??= link.href;
        const url = createIconUrl(count);
        if (link.href !== url) link.href = url;
      }
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = withoutCount(document.title);
      for (const link of listIcons()) link.href = link.dataset.original ?? link.href;
    };
  }, [count]);
};

const withoutCount = (title: string): string => title.replace(/^\(\d+\) /, "");

const listIcons = (): HTMLLinkElement[] => [
  ...document.head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]'),
];

/** The icon of src/app/icon.svg with a count in its corner. */
const createIconUrl = (count: number): string => {
  const text = count > MAX_ICON_COUNT ? `${MAX_ICON_COUNT}+` : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="#0b6e66"/>
    <path d="M6 7h16v10.5h-8.5L9 21.7V17.5H6z" fill="#fff"/>
    <circle cx="22" cy="22" r="10" fill="#b3261e"/>
    <text x="22" y="27" font-family="sans-serif" font-size="${text.length > 1 ? 12 : 15}" font-weight="700"
      text-anchor="middle" fill="#fff">${text}</text>
  </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
