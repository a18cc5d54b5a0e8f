import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SourceFile } from '../checks/document-drift.ts'

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

export interface Profile {
  /** Sorted by id. */
  readonly statements: readonly Statement[]
  readonly problems: readonly string[]
}

/** Reads docs/profile, the source of all statements and their ids. */
export function readProfile(root: string): Profile {
  const pages = globSync('docs/profile/*.md', { cwd: root })
    .sort()
    .map((file) => parseStatements(basename(file, '.md'), readFileSync(join(root, file), 'utf8')))
  const statements = pages.flatMap((page) => page.statements)
  return {
    statements: sortStatements(statements),
    problems: [...pages.flatMap(({ problems }) => problems), ...findProfileGaps(statements)],
  }
}

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

const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('.') + 1))

/**
 * The statements of all pages, sorted by section and number.
 * @returns problems: an id that appears twice, or a number that its section skips
 */
export function findProfileGaps(statements: readonly Statement[]): readonly string[] {
  const pages = Map.groupBy(statements, ({ id }) => id)
  const duplicates = [...pages].flatMap(([id, uses]) =>
    uses.length === 1
      ? []
      : [`${id} appears ${uses.length} times: ${uses.map(({ page }) => page).join(', ')}`],
  )
  const gaps = [...Map.groupBy(statements, ({ id }) => sectionOf(id))].flatMap(([section, own]) => {
    const numbers = new Set(own.map(({ id }) => numberOf(id)))
    return Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
      .filter((number) => !numbers.has(number))
      .map((number) => `${section}.${number} has no paragraph in docs/profile`)
  })
  return [...duplicates, ...gaps]
}

/** By section, then by number. */
export const sortStatements = (statements: readonly Statement[]): readonly Statement[] =>
  statements.toSorted((one, other) => {
    const [section, otherSection] = [sectionOf(one.id), sectionOf(other.id)]
    if (section === otherSection) return numberOf(one.id) - numberOf(other.id)
    return section < otherSection ? -1 : 1
  })

/** `profile/issuer`, where a page or a file path cannot continue, and what follows its comma. */
const citation =
  /(?<![\w./-])profile\/([A-Za-z-]+)(?![A-Za-z-]|[\w./-]*\/|\.\w)(?:, ([^\n]{1,80}))?/g

/** The line breaks of comments, which may be within a citation. */
const lineBreak = /[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/\/?)?[ \t]*/g

/**
 * The citations of a page or heading that docs/profile does not have, such as `profile/issuer,
 * Errors`. What follows the comma is a heading if it does not begin with a lower-case letter.
 * @param headings of each page, without Markdown
 */
export function findUnknownCitations(
  headings: ReadonlyMap<string, readonly string[]>,
  sources: readonly SourceFile[],
): readonly string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.replace(lineBreak, ' ').matchAll(citation)].flatMap(([, page = '', rest = '']) => {
      const known = headings.get(page)
      if (known === undefined) {
        return [`${file} cites profile/${page}, which docs/profile does not have`]
      }
      if (rest === '' || /^[a-z]/.test(rest) || known.some((heading) => begins(rest, heading))) {
        return []
      }
      return [
        `${file} cites profile/${page}, ${rest.split(/[.,;:'"`)]/, 1)[0]}, which is not a heading`,
      ]
    }),
  )
}

const begins = (text: string, heading: string) =>
  text.startsWith(heading) && !/^\w/.test(text.slice(heading.length))

/** The headings of a page of docs/profile, without code marks. */
export const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))
