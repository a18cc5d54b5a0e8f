import type { SourceFile } from '../checks/document-drift.ts'

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
