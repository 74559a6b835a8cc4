import { createLoginPath } from "@/lib/return-path";

/** Loads the sign-in page anew, so that no data of the old session stays in memory, and leads back here. */
export const goToLogin = (): void => {
  const { pathname, search, hash } = window.location;
  if (pathname !== "/login") window.location.assign(createLoginPath(pathname + search + hash));
};
