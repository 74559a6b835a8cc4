import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(17, 20, 20)";

const html = (page: Page) => page.locator("html");
const choose = (page: Page, name: string) => page.getByRole("radio", { name, exact: true }).check();
const messageField = (page: Page) => page.getByRole("textbox", { name: "Message" });

const measureSearch = async (page: Page): Promise<number> =>
  (await page.getByRole("search").boundingBox())?.height ?? 0;

/** Answers requests for scripts only after the returned function was called. */
const holdScripts = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/**", async (route) => {
    if (route.request().resourceType() === "script") await promise;
    await route.continue();
  });
  return resolve;
};

for (const colorScheme of ["light", "dark"] as const) {
  const [own, other] = colorScheme === "light" ? [LIGHT, "Dark"] : [DARK, "Light"];
  const changed = other === "Dark" ? DARK : LIGHT;

  test.describe(`on a device in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("theme and density are chosen once and hold from the first paint", async ({ page }) => {
      await page.goto("/settings/appearance");
      await expect(page).toHaveTitle(/^Appearance · Settings · Parley$/);
      await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
      await expect(html(page)).toHaveCSS("background-color", own);
      const comfortable = await measureSearch(page);

      await choose(page, other);
      await expect(html(page)).toHaveCSS("background-color", changed);
      await choose(page, "Compact");
      await expect.poll(() => measureSearch(page)).toBeLessThan(comfortable);
      const compact = await measureSearch(page);
      await expectAccessible(page);

      // The document itself has the choice, so that nothing is painted otherwise first.
      const document = await (await page.request.get("/")).text();
      expect(document).toMatch(
        new RegExp(`<html[^>]* data-theme="${other.toLowerCase()}" data-density="compact"`),
      );
      await page.goto("/");
      await expect(messageField(page)).toBeVisible();
      await expect(html(page)).toHaveCSS("background-color", changed);
      expect(await measureSearch(page)).toBe(compact);
      await expectAccessible(page);

      await page.goto("/settings/appearance");
      await choose(page, "System");
      await choose(page, "Comfortable");
      await page.reload();
      await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
      await expect(html(page)).toHaveCSS("background-color", own);
      expect(await measureSearch(page)).toBe(comfortable);
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, colorScheme: "light" });

  test("the stored appearance applies", async ({ page, context, baseURL }) => {
    await context.addCookies(
      [
        ["parley-theme", "dark"],
        ["parley-density", "compact"],
      ].map(([name = "", value = ""]) => ({ name, value, url: baseURL ?? "" })),
    );
    await page.goto("/settings/appearance");
    await expect(html(page)).toHaveCSS("background-color", DARK);
    await expect(html(page)).toHaveAttribute("data-density", "compact");
  });
});

test("the menu of the account, the page and other tabs agree", async ({ page, context }) => {
  await page.goto("/settings/appearance");
  const second = await context.newPage();
  await second.goto("/settings/appearance");
  await choose(page, "Compact");
  await expect(second.getByRole("radio", { name: "Compact" })).toBeChecked();
  await second.getByRole("button", { name: /^Account/ }).click();
  await second.getByRole("menuitem", { name: "Dark theme" }).click();
  await expect(second.getByRole("radio", { name: "Dark" })).toBeChecked();
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await expect(html(page)).toHaveAttribute("data-theme", "dark");
  await expect(html(page)).toHaveAttribute("data-density", "compact");
});

test("a page that still loads its scripts shows what another tab chose, and no choice that it cannot make", async ({
  page,
  context,
}) => {
  await page.goto("/settings/appearance");
  const second = await context.newPage();
  const release = await holdScripts(second);
  await second.goto("/settings/appearance", { waitUntil: "commit" });
  const light = second.getByText("Dark text on white.");
  await expect(light).toBeVisible();
  await choose(page, "Compact");
  await light.click({ force: true });
  release();
  await expect(second.getByRole("radio", { name: "Compact" })).toBeChecked();
  await expect(html(second)).toHaveAttribute("data-density", "compact");
  await expect(second.getByRole("radio", { name: "System" })).toBeChecked();
});

test("a phone shows the choices without scrolling sideways, and arrow keys choose", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings/appearance");
  // A click waits for the hydration, before which the choices take nothing.
  await page.getByRole("radio", { name: "System" }).click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await expect(html(page)).toHaveAttribute("data-theme", "dark");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
});
