/** Loads the sign-in page anew, so that no data of the old session stays in memory. */
export const goToLogin = (): void => {
  if (window.location.pathname !== "/login") window.location.assign("/login");
};
