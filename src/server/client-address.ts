/**
 * Names the client's network address to the handlers. The HTTP front sets it on every request and
 * removes what a client sent under this name.
 */
export const CLIENT_ADDRESS_HEADER = "x-parley-client-address";

/** Stands for the address of a client behind a proxy that is not trusted. */
export const UNKNOWN_CLIENT = "unknown";

/** @returns the address as text (IPv4 or IPv6), or `UNKNOWN_CLIENT`. */
export const getClientAddress = (headers: Headers): string =>
  headers.get(CLIENT_ADDRESS_HEADER) ?? UNKNOWN_CLIENT;
