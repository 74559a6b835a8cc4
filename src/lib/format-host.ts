/** Writes a host name or address as URLs need it. */
export const formatHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);
