type Hosts = {
  /** Of the page, as the browser has it in its address. */
  origin: string;
  /** As the requests of its pages have it. */
  request: string;
};

/** Explains why the pages of a browser cannot sign in: something between changes the address of its requests. */
export const describeHostMismatch = ({ origin, request }: Hosts): string =>
  new URL(origin).host === request
    ? `This page is open at ${origin}, but the server is reached in another way: set PARLEY_PUBLIC_URL to the address that people use, or name the proxy before the server in PARLEY_TRUSTED_PROXIES and let it send X-Forwarded-Proto.`
    : `This page is open at ${new URL(origin).host}, but its requests come with the host ${request}: a proxy between replaces it. Let the proxy pass it on (nginx: proxy_set_header Host $http_host;), or set PARLEY_PUBLIC_URL to ${origin}.`;
