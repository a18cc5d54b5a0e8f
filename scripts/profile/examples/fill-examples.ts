const marked = /(<!-- example: (\S+) -->\n).*?(<!-- \/example -->)/gs

/** The ids between the markers of a page, in its order. */
export const findExampleIds = (markdown: string): string[] =>
  [...markdown.matchAll(marked)].map(([, , id = '']) => id)

/**
 * Writes each example between its markers, `<!-- example: ID -->` and `<!-- /example -->`.
 * @throws RangeError if a page names an example that does not exist
 */
export function fillExamples(markdown: string, examples: ReadonlyMap<string, string>): string {
  return markdown.replace(marked, (_whole, begin: string, id: string, end: string) => {
    const example = examples.get(id)
    if (example === undefined) throw new RangeError(`There is no example ${id}.`)
    return `${begin}\n${example}\n\n${end}`
  })
}
