/** Where a finger is the pointer, a focus brings a keyboard up over the page, so only a tap may give it. */
export const isTouch = (): boolean => window.matchMedia("(pointer: coarse)").matches;
