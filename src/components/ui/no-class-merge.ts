/**
 * Stands in for the library that the markdown renderer merges classes with. It gets no classes of ours that could
 * contradict its own, and the library takes a tenth of the time in which the renderer is loaded.
 */
export const twMerge = (classes: string): string => classes;
