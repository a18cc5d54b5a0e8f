/** A statement of the profile: a paragraph, list item, table row or sentence with a stable id. */
export interface Statement {
  /** `2.endpoints/did-registry.3` */
  readonly id: string
  /** Name of the page in docs/profile, without its ending: `did-registry`. */
  readonly page: string
  /** Plain text, without markup; the cells of a table row are separated by ` · `. */
  readonly text: string
}

/** Part and section of a statement: `2.endpoints/did-registry`. */
export const sectionOf = (id: string): string => id.slice(0, id.lastIndexOf('.'))

const anchor = /<a id="([^"]*)"><\/a>/g
const wellFormed = /^[12]\.[a-z0-9-]+(?:\/[a-z0-9-]+)?\.[1-9]\d*$/

/**
 * Reads the statements of one page. A statement begins with `<a id="ID"></a>` and ends with
 * `<sub>ID</sub>` on the same line; a line may have several.
 */
export function parseStatements(
  page: string,
  markdown: string,
): { readonly statements: readonly Statement[]; readonly problems: readonly string[] } {
  const statements: Statement[] = []
  const problems: string[] = []
  markdown.split('\n').forEach((line, index) => {
    const report = (problem: string) => {
      problems.push(`docs/profile/${page}.md:${index + 1}: ${problem}`)
    }
    for (const { 1: id = '', 0: tag, index: at } of line.matchAll(anchor)) {
      const from = at + tag.length
      const end = `<sub>${id}</sub>`
      const to = line.indexOf(end, from)
      if (!wellFormed.test(id)) report(`"${id}" is not a statement id`)
      else if (to === -1) report(`the statement ${id} does not end with ${end}`)
      else {
        const text = plainText(line.slice(from, to))
        if (text === '' || text.includes('<a id=')) report(`the statement ${id} is empty`)
        statements.push({ id, page, text })
      }
    }
  })
  return { statements, problems }
}

/** Markdown without links, emphasis and code marks; table cells are separated by ` · `. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\\|', '\u0000')
    .replace(/ \| /g, ' · ')
    .replaceAll('\u0000', '|')
    .replace(/\*\*|`/g, '')
    .replace(/( · -)+\s*$/, '')
    .trim()
}
