import type { Viewport } from "next";
import type { ReactNode } from "react";
import { Providers } from "@/client/providers";
import { readTheme } from "./session";
import "./globals.css";

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  // The on-screen keyboard shrinks the page instead of covering the composer.
  interactiveWidget: "resizes-content",
  colorScheme: "light dark",
};

const RootLayout = async ({ children }: { children: ReactNode }) => {
  const theme = await readTheme();
  return (
    <html lang="en" {...(theme !== "system" && { "data-theme": theme })} suppressHydrationWarning>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
};
export default RootLayout;
