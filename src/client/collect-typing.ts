/** Longest time that keys are taken for a field that loads; a server that is away would take them for a minute. */
const MAX_COLLECT_MS = 2_000;

/**
 * Takes what a person types until the field that they have asked for is there.
 *
 * @returns `end`, which gives the text; undefined if it took too long, or the person has pressed Escape.
 */
export const collectTyping = () => {
  let text: string | undefined = "";
  const controller = new AbortController();
  const stop = (): void => {
    text = undefined;
    controller.abort();
  };
  const timer = setTimeout(stop, MAX_COLLECT_MS);
  const take = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Escape") stop();
    else if (key === "Backspace") text = text?.slice(0, -1);
    else if (key.length === 1) text += key;
  };
  window.addEventListener("keydown", take, { capture: true, signal: controller.signal });
  return {
    end: (): string | undefined => {
      clearTimeout(timer);
      controller.abort();
      return text;
    },
  };
};
