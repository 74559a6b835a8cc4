/* eslint-disable @typescript-eslint/unbound-method -- called with the node that they were called on */

/**
 * Keeps a page that is translated working. Browsers and extensions translate a page by giving each text an element of
 * their own, a `font` with the translation, without asking the page. React still holds the texts that it wrote: it
 * removes them, inserts before them and changes them, and the browser rejects the first two and shows nothing of the
 * third. Here such a call is passed on to the element that stands in the place of the text.
 *
 * Must run before React first changes the page.
 */
export const guardTranslatedTexts = (): void => {
  const { insertBefore, appendChild, removeChild } = Node.prototype;
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  const findPlace = observeReplacedTexts();

  /** Removes the translation of a text that React writes anew in another place, or with other words. */
  const removeTranslation = (node: Node): void => {
    const place = isTaken(node) ? findPlace(node) : undefined;
    place?.parentNode?.removeChild(place);
  };

  Node.prototype.removeChild = function removeTranslatedChild<T extends Node>(child: T): T {
    const place = findPlace(child, this);
    // Already gone: what the caller wants is the case.
    if (place) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function insertBeforeTranslated<T extends Node>(
    node: T,
    next: Node | null,
  ): T {
    const place = next && findPlace(next, this);
    removeTranslation(node);
    insertBefore.call(this, node, place ?? null);
    return node;
  };
  Node.prototype.appendChild = function appendTranslated<T extends Node>(node: T): T {
    removeTranslation(node);
    appendChild.call(this, node);
    return node;
  };
  if (!nodeValue?.get || !nodeValue.set) return;
  const { get, set } = nodeValue;
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...nodeValue,
    get,
    set(this: Node, value: string | null) {
      // The text takes its place again, and is translated again.
      const place = isTaken(this) ? findPlace(this) : undefined;
      place?.parentNode?.replaceChild(this, place);
      set.call(this, value);
    },
  });
};

/**
 * Observes which elements take the place of texts.
 *
 * @returns a function that finds what stands in the place of a node: the node itself, the element that contains or has
 * replaced it, or undefined if it is gone; with a parent, only if that is among its children.
 */
const observeReplacedTexts = () => {
  const replacements = new WeakMap<Node, Node>();
  const record = (changes: readonly MutationRecord[]): void => {
    for (const { removedNodes, addedNodes } of changes) {
      const [removed] = removedNodes;
      const [added] = addedNodes;
      if (removed instanceof Text && isTranslation(added)) replacements.set(removed, added);
    }
  };
  const observer = new MutationObserver(record);
  observer.observe(document, { childList: true, subtree: true });
  return (node: Node, parent?: Node): Node | undefined => {
    if (node.parentNode === parent) return node;
    if (parent) record(observer.takeRecords());
    let place: Node | undefined = node.parentNode === null ? replacements.get(node) : node;
    while (place && place.parentNode !== parent && isTranslation(place.parentNode)) {
      place = place.parentNode;
    }
    if (!place?.parentNode || (parent && place.parentNode !== parent)) return undefined;
    return place;
  };
};

/** Whether a node may be a text whose place was taken. */
const isTaken = (node: Node): boolean => node.parentNode === null && node instanceof Text;

const isTranslation = (node: Node | null | undefined): node is Element =>
  node instanceof Element && node.localName === "font";
