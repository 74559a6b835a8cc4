/** For what a story shows and nobody acts on. */
export const doNothing = (): void => undefined;
