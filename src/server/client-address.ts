/**
 * Names the client's network address to the handlers. The HTTP front sets it on every request and
 * removes what a client sent under this name.
 */
export const CLIENT_ADDRESS_HEADER = "x-parley-client-address";

/** @returns the address as text (IPv4 or IPv6), or "unknown" for a request without the HTTP front. */
export const getClientAddress = (headers: Headers): string =>
  headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
