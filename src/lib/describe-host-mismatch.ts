type Hosts = {
  /** Of the page, as the browser has it in its address. */
  origin: string;
  /** As the requests of its pages have it. */
  request: string;
};

/** Explains why the pages of a browser cannot sign in: something between changes the host of its requests. */
export const describeHostMismatch = ({ origin, request }: Hosts): string =>
  `This page is open at ${new URL(origin).host}, but its requests come with the host ${request}: a proxy between replaces it. Let the proxy pass it on (nginx: proxy_set_header Host $http_host;), or set PARLEY_PUBLIC_URL to ${origin}.`;
