/** Whether the main pointer is a finger: focusing a field there opens the on-screen keyboard. */
export const isTouchDevice = (): boolean => window.matchMedia("(pointer: coarse)").matches;
