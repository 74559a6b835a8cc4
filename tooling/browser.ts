/**
 * Finds a Chromium for the browser tests without a download:
 *   1. CHROMIUM_PATH
 *   2. the browser that Playwright installed (`npx playwright install chromium`)
 *   3. the headless shell in the npm package @sparticuz/chromium (Linux x64), unpacked once
 *   4. the system's Chromium or Chrome
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { chromium } from "playwright";

/** Launch options of Playwright, and of Vitest's provider for it. */
type BrowserLaunch = {
  executablePath?: string;
  args: string[];
  env?: Record<string, string>;
  chromiumSandbox: boolean;
};

const root = join(import.meta.dirname, "..");
const npmPackage = join(root, "node_modules/@sparticuz/chromium");
// The sandbox does not start for root, which containers run as.
const commonOptions = {
  args: ["--disable-quic", "--font-render-hinting=none"],
  chromiumSandbox: false,
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const TAR_BLOCK_BYTES = 512;

const untar = (tar: Buffer, into: string): void => {
  for (let at = 0; at + TAR_BLOCK_BYTES <= tar.length && tar[at] !== 0;) {
    const field = (from: number, length: number): string =>
      tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const name = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8) || 0;
    const type = field(156, 1);
    const start = at + TAR_BLOCK_BYTES;
    if (type === "0" || type === "") {
      const path = join(into, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, tar.subarray(start, start + size), { mode: 0o755 });
    }
    at = start + Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
  }
};

const createFontsConf = (home: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>` +
  `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>` +
  `<dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>`;

/** Unpacks into a temporary folder and renames it, so that an incomplete browser is never used. */
const unpack = (home: string): void => {
  mkdirSync(dirname(home), { recursive: true });
  const part = mkdtempSync(join(dirname(home), ".part-"));
  const read = (name: string): Buffer =>
    brotliDecompressSync(readFileSync(join(npmPackage, "bin", name)));
  untar(read("al2023.tar.br"), part);
  untar(read("fonts.tar.br"), part);
  writeFileSync(join(part, "fonts.conf"), createFontsConf(home));
  writeFileSync(join(part, "chromium"), read("chromium.br"), { mode: 0o755 });
  try {
    renameSync(part, home);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(join(home, "chromium"))) throw error;
  }
};

const findInNpmPackage = (): BrowserLaunch | undefined => {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  if (!existsSync(join(npmPackage, "bin/chromium.br"))) return undefined;
  const { version } = JSON.parse(readFileSync(join(npmPackage, "package.json"), "utf8")) as {
    version: string;
  };
  const home = join(root, "node_modules/.cache/chromium", version);
  if (!existsSync(join(home, "chromium"))) unpack(home);
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const libraries = [process.env.LD_LIBRARY_PATH, join(home, "lib")].filter(Boolean).join(":");
  return {
    ...commonOptions,
    executablePath: join(home, "chromium"),
    // With its own NSS and font: a bare system has neither, and text without a font has no width.
    env: {
      ...Object.fromEntries(inherited),
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: join(home, "fonts.conf"),
    },
  };
};

const SYSTEM_PATHS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    join(process.env.PROGRAMFILES ?? "C:\\Program Files", "Google/Chrome/Application/chrome.exe"),
  ],
};

const isInstalledByPlaywright = (): boolean => {
  const path = chromium.executablePath();
  const headlessShell = path.replace(/chromium-(\d+).*$/, "chromium_headless_shell-$1");
  return path !== "" && (existsSync(path) || existsSync(headlessShell));
};

/**
 * @returns launch options for the first browser that is found.
 * @throws {Error} if there is none.
 */
export const launchOptions = (): BrowserLaunch => {
  const fromEnv = process.env.CHROMIUM_PATH;
  if (fromEnv) return { ...commonOptions, executablePath: fromEnv };
  if (isInstalledByPlaywright()) return commonOptions;
  const packaged = findInNpmPackage();
  if (packaged) return packaged;
  const system = SYSTEM_PATHS[process.platform]?.find(isExecutable);
  if (system) return { ...commonOptions, executablePath: system };
  throw new Error(
    "No Chromium found: run `npx playwright install chromium`, install Chrome, or set CHROMIUM_PATH.",
  );
};
