/** Where a sandbox finds its proxy: its socket, and a port of its own loopback, where nothing else listens. */
export const SANDBOX_PROXY = { path: "/proxy", port: 3128 };

const PROXY = `http://127.0.0.1:${SANDBOX_PROXY.port}`;

/** By these variables, programs find the proxy of their sandbox. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  // Node.js reads the others only with this one.
  NODE_USE_ENV_PROXY: "1",
};
