import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, posix, relative } from 'node:path'

/** Pages of the repository outside `docs` that the site shows, and their address there. */
const furtherPages: Readonly<Record<string, string>> = {
  'README.md': 'quick-start.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'scenarios/README.md': 'scenarios.md',
  'conformance/README.md': 'conformance-kit.md',
  'wallet-emulator/README.md': 'wallet-library.md',
  'test/conformance/foreign/README.md': 'foreign-harness.md',
}

/** Pages for contributors, who read them in the repository: the package has little room. */
const leftOut = ['docs/coverage.md', 'docs/benchmarks.md', 'docs/dependencies.md']

/** Elements that pages use on purpose; any other `<` is text. */
const element = /<(?!\/?(?:a|sub|sup|br|img|details|summary|kbd)\b)/g

/** Splits Markdown at its code, so that only prose is changed. Odd parts are code. */
const splitAtCode = (markdown: string) =>
  markdown.split(/(^ *```[\s\S]*?^ *```$|``[^`]+``|`[^`\n]+`)/m)

const changeProse = (markdown: string, change: (prose: string) => string) =>
  splitAtCode(markdown)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')

/** The path of a page on the site: a README is the index of its folder. */
function sitePathOf(file: string): string {
  const known = furtherPages[file]
  if (known !== undefined) return known
  return posix.normalize(relative('docs', file).replace(/README\.md$/, 'index.md'))
}

/** The path of a picture on the site; undefined for a picture elsewhere. */
const picturePathOf = (target: string) =>
  target.startsWith('docs/pictures/') ? posix.relative('docs', target) : undefined

/**
 * Pages of the site by path (`guides/ci.md`), made of the Markdown of the repository. Links between
 * them are relative to the site; a link to a file that is not on the site becomes its text.
 */
export function stagePages(root: string): Map<string, string> {
  const files = [
    ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/.vitepress/**', ...leftOut] }),
    ...Object.keys(furtherPages).filter((file) => existsSync(join(root, file))),
  ].sort()
  const paths = new Map(files.map((file) => [file, sitePathOf(file)]))
  return new Map(
    files.map((file) => {
      const path = sitePathOf(file)
      const text = readFileSync(join(root, file), 'utf8')
      const linked = text.replace(
        /(!?)\[((?:[^\]\\[]|\\.|\[[^\]]*\])*)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)/g,
        (whole, picture: string, label: string, link: string, anchor = '') => {
          if (link === '') return whole
          const target = normalize(join(dirname(file), link)).replace(/\/$/, '')
          const found = picture
            ? picturePathOf(target)
            : (paths.get(target) ?? paths.get(join(target, 'README.md')))
          if (found === undefined) return label
          const href = posix.relative(posix.dirname(path), found)
          return `${picture}[${label}](${href.startsWith('.') ? href : `./${href}`}${anchor})`
        },
      )
      const escapeProse = (prose: string) =>
        prose.replace(element, '&lt;').replaceAll('{{', '&#123;&#123;')
      return [path, changeProse(linked, escapeProse)]
    }),
  )
}
