/**
 * Stands in for the plugin that parses HTML in markdown, which the renderer imports but this page never uses: raw HTML
 * is shown as text. The parser is a fifth of the renderer's size.
 */
const rehypeRaw = () => undefined;
export default rehypeRaw;
