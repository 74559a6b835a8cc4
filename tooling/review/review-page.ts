export type Picture = { label: string; files: PictureFiles };
/** Paths relative to the page. */
export type PictureFiles = { before?: string; after?: string; difference?: string };
export type ReviewedStory = {
  id: string;
  title: string;
  name: string;
  status: "new" | "changed" | "gone";
  differingPixels: number;
  differingModules: readonly string[];
  pictures: readonly Picture[];
};
export type Review = {
  /** What is compared, such as `HEAD~1 (1a2b3c4d)`. */
  before: string;
  after: string;
  stories: readonly ReviewedStory[];
  /** Stories whose modules differ and whose pictures are equal. */
  equalStories: readonly { title: string; name: string }[];
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dede, #343a3a); --muted: light-dark(#566060, #a3adad);
  --raised: light-dark(#f4f6f6, #1b1f1f); --accent: light-dark(#0b6e6e, #5cc8c2); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #111414); color: light-dark(#161a1a, #e8ecec); }
header { position: sticky; top: 0; z-index: 1; padding: 12px 24px; background: inherit; border-bottom: 1px solid var(--line); }
h1 { margin: 0 0 8px; font-size: 20px; } h2 { margin: 0; font-size: 17px; }
main { padding: 8px 24px 64px; }
p { margin: 4px 0; color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; }
input[type=search] { font: inherit; padding: 4px 8px; min-width: 16rem; }
article { padding: 20px 0; border-bottom: 1px solid var(--line); }
.status { color: var(--accent); font-weight: 600; }
.row { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 12px; align-items: start; margin-top: 12px; }
@media (max-width: 700px) { .row { grid-template-columns: minmax(0, 1fr); } }
.row > h3 { grid-column: 1 / -1; margin: 0; font-size: 14px; }
figure { margin: 0; } figcaption { color: var(--muted); font-size: 13px; }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); background: var(--raised); }
summary { cursor: pointer; color: var(--muted); } li { overflow-wrap: anywhere; }
[hidden] { display: none; }`;

/** The page has no other script, so that it works without a server. */
const SCRIPT = `
const form = document.querySelector("form");
const apply = () => {
  const chosen = new FormData(form).getAll("status");
  const words = form.elements.words.value.toLowerCase();
  let shown = 0;
  for (const story of document.querySelectorAll("article")) {
    story.hidden = !chosen.includes(story.dataset.status) || !story.dataset.name.includes(words);
    if (!story.hidden) shown++;
  }
  document.querySelector("output").value = shown + " shown";
};
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();`;

const writeFigure = ([caption, file]: readonly [string, string | undefined]): string =>
  file === undefined
    ? ""
    : `<figure><figcaption>${caption}</figcaption><a href="${escapeHtml(file)}"><img loading="lazy" alt="${caption}" src="${escapeHtml(file)}"></a></figure>`;

const writePicture = ({ label, files }: Picture): string => {
  const figures = [
    ["Before", files.before],
    ["After", files.after],
    ["Difference", files.difference],
  ] as const;
  return `<div class="row"><h3>${escapeHtml(label)}</h3>${figures.map(writeFigure).join("")}</div>`;
};

const writeList = (summary: string, items: readonly string[]): string =>
  items.length === 0
    ? ""
    : `<details><summary>${summary}</summary><ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul></details>`;

const toName = ({ title, name }: { title: string; name: string }): string => `${title}: ${name}`;

const writeStory = (story: ReviewedStory): string => {
  const name = toName(story);
  const pixels =
    story.status === "changed"
      ? `, ${story.differingPixels.toLocaleString("en-US")} pixels differ`
      : "";
  return `<article id="${escapeHtml(story.id)}" data-status="${story.status}" data-name="${escapeHtml(name.toLowerCase())}">
<h2>${escapeHtml(name)}</h2>
<p><span class="status">${story.status}</span>${pixels}</p>
${writeList(`Modules that differ: ${story.differingModules.length}`, story.differingModules)}
${story.pictures.map(writePicture).join("\n")}
</article>`;
};

/** @returns the text of a page that needs no server, beside the folder of its pictures. */
export const writeReviewPage = ({ before, after, stories, equalStories }: Review): string => {
  const filters = (["new", "changed", "gone"] as const).map((status) => {
    const count = stories.filter((story) => story.status === status).length;
    return `<label><input type="checkbox" name="status" value="${status}" checked> ${status} (${count})</label>`;
  });
  const equal = writeList(
    `Photographed, with equal pictures: ${equalStories.length}`,
    equalStories.map(toName),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stories that changed since ${escapeHtml(before)}</title>
<style>${STYLE}</style>
<header>
<h1>Stories that changed</h1>
<p>Before: ${escapeHtml(before)}. After: ${escapeHtml(after)}.</p>
<form>${filters.join("")}<label>Name <input type="search" name="words"></label><output></output></form>
</header>
<main>
${stories.length === 0 ? "<p>No picture differs.</p>" : stories.map(writeStory).join("\n")}
${equal}
</main>
<script>${SCRIPT}</script>
</html>
`;
};
