import type { MetadataRoute } from "next";

/** What browsers show of Parley where a person installs it. */
const manifest = (): MetadataRoute.Manifest => ({
  id: "/",
  name: "Parley",
  short_name: "Parley",
  description: "Chats with models, and what they wait for.",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#ffffff",
  theme_color: "#0b6e66",
  icons: [
    { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
});
export default manifest;
