/** True for a host name or an address of this machine itself. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^\[?::1\]?$/i.test(host);
