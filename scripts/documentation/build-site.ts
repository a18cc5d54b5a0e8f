import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createCheckPages } from './create-check-pages.ts'
import { createRulePages } from './create-rule-pages.ts'
import { stagePages } from './stage-pages.ts'

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
      return [path, linked.replace(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1')]
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
