/** Lets the browser save what an address of this server sends, without leaving the page. */
export const download = (url: string): void => {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
};
