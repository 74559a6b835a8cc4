import { expect, test } from "../fixtures";
import { serveOtherSite } from "./serve-other-site";

test("a page of another site neither reads nor writes with the visitor's session", async ({
  page,
  server,
  api,
}) => {
  const { id } = await api.createChat({ content: "private words" });
  const site = await serveOtherSite();
  try {
    await page.goto(server.url);
    // The home page has it twice once the list is there.
    await expect(page.getByRole("link", { name: /private words/i }).first()).toBeVisible();
    await page.goto(site.url);

    const read = (path: string) =>
      page.evaluate(
        (url) =>
          fetch(url, { credentials: "include" }).then(
            (response) => response.text(),
            () => "blocked",
          ),
        server.url + path,
      );
    for (const path of ["/", `/chats/${id}`, "/api/v1/chats", `/api/v1/chats/${id}/stream`]) {
      expect(await read(path), path).toBe("blocked");
    }

    const write = (path: string, method: string, body: string) =>
      page.evaluate(
        async (sent) => {
          // Without CORS only such types can be sent, and the answer cannot be read.
          for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
            await fetch(sent.url, {
              method: sent.method,
              mode: "no-cors",
              credentials: "include",
              headers: { "content-type": type },
              body: sent.body,
            }).catch(() => undefined);
          }
        },
        { url: server.url + path, method, body },
      );
    await write("/api/v1/chats", "POST", '{"content":"forged"}');
    await write(`/api/v1/chats/${id}/messages`, "POST", '{"content":"forged"}');
    await write("/api/v1/api-keys", "POST", '{"name":"forged","scope":"admin"}');
    await write("/api/trpc/apiKeys.create", "POST", '{"name":"forged"}');
    await write("/api/auth/sign-out", "POST", "{}");

    // A form leaves the page and sends the cookie with a navigation.
    await page.evaluate((action) => {
      const form = document.createElement("form");
      Object.assign(form, { action, method: "POST", enctype: "text/plain" });
      const field = document.createElement("input");
      Object.assign(field, { name: '{"content":"forged', value: '"}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    }, `${server.url}/api/v1/chats`);
    await expect(page.locator("body")).toContainText(/must be sent with|own pages/);

    await page.goto(server.url);
    // The home page has it twice once the list is there.
    await expect(page.getByRole("link", { name: /private words/i }).first()).toBeVisible();
    await expect(page.getByText("forged")).toHaveCount(0);
    const keys = await page.request.get(`${server.url}/api/v1/api-keys`);
    expect(await keys.text()).not.toContain("forged");
    expect((await api.history(id)).messages).not.toContainEqual(
      expect.objectContaining({ parts: [{ type: "text", text: "forged" }] }),
    );
  } finally {
    site.close();
  }
});
