import { extname, join, relative, resolve, sep } from 'node:path'
import { didYouMean } from '#core/text/find-nearest.ts'
import { wrongUsage } from '#scenarios/errors.ts'

/** Only the npm package contains compiled modules. */
const isPackage = extname(import.meta.filename) === '.js'

/** How to call the program, for messages: in a clone, or in a project that installed the package. */
export const programCommand = isPackage ? 'npx lear-testbed' : 'bin/testbed'

/** How to start a testbed that keeps running. */
export const startCommand = isPackage ? 'npx lear-testbed up' : 'npm start'

/**
 * Where a paragraph of the profile, `docs/profile/PAGE.md#ID`, can be read: in a clone there, in a
 * project that installed the package as a page of its site, relative to the working directory.
 */
export function placeOfParagraph(paragraph: string): string {
  if (!isPackage) return paragraph
  const page = paragraph.replace(/^docs\/(.*?)\.md#/, 'documentation/$1.html#')
  return relative(process.cwd(), join(import.meta.dirname, '../..', page))
}

/** The first page of the documentation, relative to the working directory. */
export function placeOfDocumentation(): string {
  const start = isPackage ? 'documentation/index.html' : 'docs/README.md'
  return relative(process.cwd(), join(import.meta.dirname, '../..', start))
}

/**
 * The address of a page of the profile in a report that is in this folder: `{page}` stands for the
 * page. In a clone it is Markdown, which a browser shows as text.
 */
export function profileFrom(folder: string): string {
  const [pages, extension] = isPackage ? ['documentation', 'html'] : ['docs', 'md']
  const path = relative(resolve(folder), join(import.meta.dirname, '../..', pages, 'profile'))
  return `${path.split(sep).map(encodeURIComponent).join('/')}/{page}.${extension}`
}

/** A word for a POSIX shell, quoted if necessary. */
const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** A command line of the program, to type in a shell. */
export const createCommand = (...args: readonly string[]): string =>
  [programCommand, ...args.map(quote)].join(' ')

/**
 * Compiles a regular expression from user input.
 * @throws TestbedError `invalid_option` if it is invalid
 */
export function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (cause) {
    throw wrongUsage(
      `${pattern} is not a valid regular expression: ${(cause as Error).message}`,
      [],
      cause,
    )
  }
}

/** Hints for a pattern without matches: similar names, also by their parts. */
export function suggestNames(pattern: string, names: readonly string[]): string[] {
  const wanted = pattern.replace(/\.[*+]|[\\^$.|?*+()[\]{}]/g, '')
  const known = wanted.includes('/') ? names : names.flatMap((name) => [name, ...name.split('/')])
  return didYouMean(wanted, known)
}
