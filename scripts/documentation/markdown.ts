/** Text with the characters escaped that Markdown would interpret, in tables too. */
export const plain = (text: string) =>
  text
    .replace(/([|*_[\]\\])/g, '\\$1')
    .replace(/</g, '&lt;')
    .replaceAll('\n', ' ')

/** Markdown as one cell of a table. */
export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

/** A table; its cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
