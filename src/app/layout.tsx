import type { Viewport } from "next";
import type { ReactNode } from "react";
import { toDocumentAttributes } from "@/client/appearance";
import { Providers } from "@/client/providers";
import { FONT_CLASSES } from "./fonts";
import { readAppearance } from "./session";
import "./globals.css";

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  // The on-screen keyboard shrinks the page instead of covering the composer.
  interactiveWidget: "resizes-content",
  colorScheme: "light dark",
  // As the background of the page: the bar of an installed app continues it.
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#111414" },
  ],
};

const RootLayout = async ({ children }: { children: ReactNode }) => {
  const appearance = await readAppearance();
  return (
    <html
      lang="en"
      className={FONT_CLASSES}
      {...toDocumentAttributes(appearance)}
      suppressHydrationWarning
    >
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
};
export default RootLayout;
