import type { Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/client/providers";
import { THEME_COOKIE, Theme } from "@/client/theme";
import "./globals.css";

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  // The keyboard of a phone makes the page smaller instead of covering the composer.
  interactiveWidget: "resizes-content",
  colorScheme: "light dark",
};

const RootLayout = async ({ children }: { children: ReactNode }) => {
  const theme = Theme.safeParse((await cookies()).get(THEME_COOKIE)?.value).data ?? "system";
  return (
    <html lang="en" {...(theme !== "system" && { "data-theme": theme })} suppressHydrationWarning>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
};
export default RootLayout;
