import { deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const TABLE = { name: "tides.csv", mimeType: "text/csv", buffer: Buffer.from("time,height\n1,2") };
const HEIC = {
  name: "IMG_1.heic",
  mimeType: "image/heic",
  buffer: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic"),
};
const createPhoto = async () => ({
  name: "pier.png",
  mimeType: "image/png",
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background: "teal" } })
    .png()
    .toBuffer(),
});

const filesPage = (page: Page) => {
  const chips = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  return {
    chips,
    choose: (files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0]) =>
      page.locator("input[type=file]:not([accept])").setInputFiles(files),
    /** Drops a file on the middle of the page. */
    drop: async ({ name, mimeType, buffer }: typeof TABLE): Promise<void> => {
      const transfer = await page.evaluateHandle(
        ([fileName, type, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], fileName, { type }));
          return transfer;
        },
        [name, mimeType, buffer.toString()] as const,
      );
      for (const type of ["dragover", "drop"]) {
        await page.getByRole("main").dispatchEvent(type, { dataTransfer: transfer });
      }
    },
  };
};

test("files are chosen and dropped, survive a reload, are sent, and stay with an edit", async ({
  page,
  api,
}) => {
  const { send, message, userMessages, answers } = chatPage(page);
  const { chips, choose, drop } = filesPage(page);
  await page.goto("/");
  await choose([await createPhoto(), TABLE]);
  await expect(chips).toHaveText([/pier\.png/, /tides\.csv/]);
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await page.reload();
  await expect(chips).toHaveText([/pier\.png/, /tides\.csv/]);
  await drop({ ...TABLE, name: "dropped.csv" });
  await expect(chips).toHaveCount(3);
  await page.getByRole("button", { name: "Move tides.csv left" }).click();
  await expect(chips).toHaveText([/tides\.csv/, /pier\.png/, /dropped\.csv/]);
  await page.getByRole("button", { name: "Remove dropped.csv" }).click();
  await message.fill("Which one is the pier?");
  await send.click();
  await page.waitForURL(/\/chats\//);
  const sent = userMessages.first();
  await expect(sent.getByRole("link", { name: /tides\.csv/ })).toBeVisible();
  const photo = sent.getByRole("img", { name: "pier.png" });
  await expect
    .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(640);
  await expect(answers.first()).not.toBeEmpty();
  const id = page.url().split("/").at(-1) ?? "";
  const listTypes = async () => (await api.history(id)).messages[0]?.parts.map(({ type }) => type);
  expect(await listTypes()).toEqual(["file", "file", "text"]);

  await api.waitForStatus(id, ["waiting"]);
  await sent.hover();
  await sent.getByRole("button", { name: "Edit message" }).click();
  const editor = page.getByRole("form", { name: "Edit message" });
  await editor.getByRole("button", { name: "Remove tides.csv" }).click();
  await editor.getByRole("button", { name: "Send" }).click();
  await expect(userMessages.first().getByRole("link", { name: /tides\.csv/ })).toBeHidden();
  await expect.poll(listTypes).toEqual(["file", "text"]);
});

test("a file that the server refuses says why, and the message waits for the person", async ({
  page,
}) => {
  const { send, message } = chatPage(page);
  const { chips, choose } = filesPage(page);
  await page.goto("/");
  await message.fill("Look");
  await choose([HEIC, { ...TABLE, name: "large.bin", buffer: Buffer.alloc(17 * 1024 * 1024) }]);
  await expect(chips.first()).toContainText("HEIC images cannot be shown here");
  await expect(chips.last()).toContainText("larger than 16 MB");
  await expect(send).toBeDisabled();
  await page.getByRole("button", { name: "Remove IMG_1.heic" }).click();
  await page.getByRole("button", { name: "Remove large.bin" }).click();
  await expect(send).toBeEnabled();
});

test("images that are no longer sent are marked, and the ring tells how many", async ({
  page,
  api,
  server,
}) => {
  const upload = async (index: number): Promise<string> => {
    const image = sharp({
      create: { width: 8, height: index + 1, channels: 3, background: "teal" },
    });
    const response = await fetch(`${server.url}/api/v1/files?name=${index}.png`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "image/png" },
      body: Uint8Array.from(await image.png().toBuffer()),
    });
    return ((await response.json()) as { id: string }).id;
  };
  const send = async (route: string, from: number, count: number): Promise<string> => {
    const content = [];
    for (let index = from; index < from + count; index += 1) {
      content.push({ type: "file", file_id: await upload(index) });
    }
    return ((await api.request(route, { content })).body as { id: string }).id;
  };
  const id = await send("POST /chats", 0, 20);
  await api.waitForStatus(id);
  await page.goto(`/chats/${id}`);
  const marks = page.getByText("No longer sent to the model");
  await expect(page.getByRole("img", { name: "19.png" })).toBeVisible();
  await expect(marks).toHaveCount(0);
  await send(`POST /chats/${id}/messages`, 20, 10);
  await expect(marks).toHaveCount(17);
  await page.getByRole("button", { name: /\. No longer sent: 17 images$/ }).click();
  await expect(page.getByRole("dialog")).toContainText("The messages keep them.");
});

test("the composer says what the model does not get", async ({ page, api }) => {
  const { send, userMessages } = chatPage(page);
  const { chips, choose } = filesPage(page);
  await page.goto("/");
  const database = { name: "a.bin", mimeType: "", buffer: deflateSync(Buffer.alloc(9)) };
  await choose(database);
  await expect(chips).toHaveCount(1);
  await expect(page.getByRole("list", { name: "What the model gets" })).toContainText(
    /a\.bin: .* tools can read the file/,
  );
  await expectAccessibleInThemes(page);
  await send.click();
  await page.waitForURL(/\/chats\//);
  await expect(userMessages).toHaveCount(1);
  const id = page.url().split("/").at(-1) ?? "";
  expect((await api.chat(id)).title).not.toBe("");
});

test("images are shown above the page, and the files of a chat are listed", async ({
  page,
  api,
}) => {
  const { send, message, userMessages } = chatPage(page);
  const { chips, choose } = filesPage(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await choose([await createPhoto(), { ...(await createPhoto()), name: "boat.png" }, TABLE]);
  await expect(chips).toHaveCount(3);
  await message.fill("Compare them.");
  await send.click();
  await page.waitForURL(/\/chats\//);
  await api.waitForStatus(page.url().split("/").at(-1) ?? "", ["waiting"]);

  const pier = userMessages.getByRole("link", { name: "pier.png" });
  await pier.press("Enter");
  const shown = page.getByRole("dialog", { name: "pier.png" });
  await expect(shown).toContainText("1 of 2");
  await expectAccessibleInThemes(page);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("dialog", { name: "boat.png" })).toContainText("2 of 2");
  const download = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("boat.png");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(pier).toBeFocused();

  await page.getByRole("button", { name: "Actions for this chat" }).click();
  await page.getByRole("menuitem", { name: "Show files" }).click();
  const panel = page.getByRole("dialog", { name: "Files" });
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await expect(panel).toContainText("3 files");
  await expect(panel.getByRole("link", { name: /tides\.csv/ })).toHaveAttribute(
    "download",
    "tides.csv",
  );
  await expectAccessibleInThemes(page);
  await panel.getByRole("link", { name: /boat\.png/ }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "boat.png" })).toBeHidden();
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});
