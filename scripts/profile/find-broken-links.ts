import { posix } from 'node:path'

/** Reads a file of the repository; undefined if it does not exist. */
export type ReadFile = (file: string) => string | undefined

const fences = /^```.*?^```$/gms
const link = /\]\(([^)\s]+)\)/g

/** The fragment that GitHub and VitePress give a heading. */
const slugOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slugOf(title))
  const ids = [...markdown.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...ids])
}

/** Relative links of a Markdown file that lead to a missing file, heading or anchor. */
export function findBrokenLinks(file: string, read: ReadFile): readonly string[] {
  const markdown = read(file) ?? ''
  const targets = [...markdown.replace(fences, '').matchAll(link)].map(([, target = '']) => target)
  return [...new Set(targets)]
    .filter((target) => !/^[a-z]+:/.test(target))
    .flatMap((target) => {
      const [path = '', fragment] = target.split('#')
      const other = path === '' ? file : posix.join(posix.dirname(file), path)
      const content = read(other)
      if (content === undefined) return [`${file}: the link ${target} leads to a missing file`]
      if (fragment === undefined || anchorsOf(content).has(fragment)) return []
      return [`${file}: the link ${target} leads to a missing anchor`]
    })
}
