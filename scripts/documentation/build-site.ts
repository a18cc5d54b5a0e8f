import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, normalize, posix, relative } from 'node:path'
import { createCheckPages } from './create-check-pages.ts'
import { createRulePages } from './create-rule-pages.ts'

const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * The policy of all pages: only scripts and styles of the site, and the inline scripts of
 * VitePress by their hashes.
 */
function createPolicy(pages: readonly string[]): string {
  const scripts = pages
    .flatMap((page) => [...page.matchAll(inlineScript)])
    // JSON for the theme is data, which no browser runs.
    .filter(([element]) => !/type="application\//.test(element))
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scripts)].sort().join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The first sentence below the heading of a page. */
function summaryOf(markdown: string): string {
  const paragraph = /^# .+\n+((?:[^\n#`|].*\n)+)/m.exec(markdown)?.[1] ?? ''
  return (/^.*?\.(?=\s|$)/s.exec(paragraph)?.[0] ?? '').replaceAll('\n', ' ')
}

const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? ''

/** `llms.txt`: the Markdown of the pages, by chapter. Two of them list those of checks and rules. */
function createIndex(pages: ReadonlyMap<string, string>): string {
  const listed = [...pages].filter(([path]) => !/^(checks|rules)\//.test(path))
  const chapters = Map.groupBy(listed, ([path]) => (path.includes('/') ? dirname(path) : '.'))
  const sections = [...chapters].map(([folder, list]) => {
    const lines = list.map(([path, markdown]) => {
      const summary = summaryOf(markdown)
      return `- [${titleOf(markdown)}](/docs/${path})${summary === '' ? '' : `: ${summary}`}`
    })
    return `## ${folder === '.' ? 'Overview' : folder}\n\n${lines.join('\n')}\n`
  })
  return `# lear-testbed

> A testbed for login with verifiable credentials: registries, issuer, verifier, identity provider, wallet, scenario suites and a conformance kit.

${sections.join('\n')}`
}

/** Links the first cell of table rows to the page of the check or rule that it names. */
function linkTables(markdown: string, details: ReadonlyMap<string, string>): string {
  return markdown.replace(/^\| (`?)([\w.-]+)\1 \|/gm, (cell, _quote, name: string) => {
    const path = [`checks/${name}`, `rules/${name.replace('.', '/')}`].find((each) =>
      details.has(`${each}.md`),
    )
    return path === undefined
      ? cell
      : cell.replaceAll('`', '').replace(name, `[${name}](/${path}.md)`)
  })
}

/**
 * Links the style sheets relative to the page: reports and the terminal link to the file of a page,
 * which a browser opens without a server. Only the page for unknown addresses can be anywhere.
 */
function linkStylesRelatively(path: string, page: string): string {
  const up = '../'.repeat(path.split('/').length - 1)
  return page.replace(/(<link rel="(?:preload )?stylesheet" href=")\/docs\//g, `$1${up}`)
}

function write(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/**
 * Builds the documentation site into a folder, and returns that. It holds each page as HTML and as
 * Markdown, `llms.txt`, and in `content-security-policy.txt` the header to serve them with.
 * @throws Error if VitePress fails; it prints why, such as a dead link
 */
export async function buildSite(
  root: string,
  site = join(root, '.cache/documentation/site'),
): Promise<string> {
  const source = `${site}-source`
  const built = `${site}-${process.pid}`
  const details = new Map([...createRulePages(), ...(await createCheckPages())])
  const staged = [...stagePages(root)].map(
    ([path, text]) => [path, linkTables(text, details)] as const,
  )
  const pages = new Map([...staged, ...details])
  rmSync(source, { recursive: true, force: true })
  write(source, pages)
  cpSync(join(root, 'docs/pictures'), join(source, 'pictures'), { recursive: true })

  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', join(root, 'docs')],
    {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DOCUMENTATION_SOURCE: source, DOCUMENTATION_SITE: built },
    },
  )
  if (status !== 0) throw new Error('VitePress could not build the documentation.')

  const html = new Map(
    globSync('**/*.html', { cwd: built }).map((path) => {
      const page = readFileSync(join(built, path), 'utf8')
      // The app loads the script of its page by itself: a thousand links make the package larger.
      const linked = page
        .replace(/ *<link rel="modulepreload" href="[^"]*\.lean\.js">\n/, '')
        .replace(/ *<meta name="generator"[^>]*>\n/, '')
      // The policy rejects style attributes; the theme's own style sheet does the same.
      const unstyled = linked.replace(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1')
      return [path, path === '404.html' ? unstyled : linkStylesRelatively(path, unstyled)]
    }),
  )
  write(built, new Map([...html, ...pages]))
  writeFileSync(join(built, 'llms.txt'), createIndex(pages))
  writeFileSync(join(built, 'content-security-policy.txt'), `${createPolicy([...html.values()])}\n`)
  // Browsers read the same hashes from a script.
  rmSync(join(built, 'hashmap.json'))
  rmSync(site, { recursive: true, force: true })
  renameSync(built, site)
  rmSync(source, { recursive: true })
  return site
}

/** Pages of the repository outside `docs` that the site shows, and their address there. */
const furtherPages: Readonly<Record<string, string>> = {
  'README.md': 'quick-start.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'scenarios/README.md': 'scenarios.md',
  'conformance/README.md': 'conformance-kit.md',
  'wallet-emulator/README.md': 'wallet-library.md',
}

/** Pages for contributors, who read them in the repository: the package has little room. */
const leftOut = ['coverage', 'benchmarks', 'dependencies', 'style'].map((name) => `docs/${name}.md`)

/** Elements that pages use on purpose; any other `<` is text. */
const element = /<(?!\/?(?:a|sub|sup|br|img|details|summary|kbd)\b)/g

/** A comment for the scripts that write parts of a page. */
const comment = /<!--.*?-->\n*/gs

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
function stagePages(root: string): Map<string, string> {
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
        prose.replace(comment, '').replace(element, '&lt;').replaceAll('{{', '&#123;&#123;')
      return [path, changeProse(linked, escapeProse)]
    }),
  )
}
