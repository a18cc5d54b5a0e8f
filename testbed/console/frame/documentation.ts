import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import express, { type Request, type RequestHandler, type Router } from 'express'
import { html, trustedHtml } from '#core/html/html.ts'
import { page } from '#kit/page.ts'
import { sendReply } from '#kit/register-route.ts'

/** The folder of the code: the repository, or `dist` in the npm package. */
const root = resolve(import.meta.dirname, '../../..')

/** Where the documentation is, and the page that it begins with. */
export interface Documentation {
  readonly folder: string
  /** Path below `/docs/`. */
  readonly start: string
}

/** Where the console serves it. */
export const documentationPath = '/docs'

/** The built site, else its Markdown; undefined if neither is there. */
export function findDocumentation(): Documentation | undefined {
  const sites = ['documentation', '.cache/documentation/site'].map((path) => join(root, path))
  const site = sites.find((folder) => existsSync(join(folder, 'index.html')))
  if (site !== undefined) return { folder: site, start: '' }
  const markdown = join(root, 'docs')
  return existsSync(join(markdown, 'README.md'))
    ? { folder: markdown, start: 'README.md' }
    : undefined
}

/** Serves the documentation below `/docs/`: the built site, or its Markdown as simple pages. */
export function serveDocumentation({ folder, start }: Documentation): Router {
  const router = express.Router()
  if (start === '') router.use(documentationPath, ...serveSite(folder))
  else router.use(documentationPath, ...serveMarkdown(folder, start))
  return router
}

/** Under the policy that was computed when the site was built. */
function serveSite(folder: string): RequestHandler[] {
  const policy = readFileSync(join(folder, 'content-security-policy.txt'), 'utf8').trim()
  return [
    (_request, response, next) => {
      response.set('content-security-policy', policy)
      next()
    },
    express.static(folder, {
      // Links to a page omit its extension.
      extensions: ['html'],
      // A browser shows plain text; it saves Markdown as a file.
      setHeaders: (response, path) => {
        if (path.endsWith('.md')) response.setHeader('content-type', 'text/plain; charset=utf-8')
      },
    }),
    (_request, response) => {
      response.status(404).sendFile(join(folder, '404.html'))
    },
  ]
}

function serveMarkdown(folder: string, start: string): RequestHandler[] {
  return [
    async (request, response, next) => {
      const [, name] = /^\/((?:[\w-]+\/)*[\w-]*?)(?:\.md)?$/.exec(request.path) ?? []
      if (name === '') return response.redirect(`${documentationPath}/${start}`)
      const markdown = await readFile(join(folder, `${name}.md`), 'utf8').catch(() => undefined)
      if (name === undefined || markdown === undefined) return next()
      sendReply(response, await showMarkdown(markdown, `${documentationPath}/${name}.md`, request))
    },
    express.static(folder, { index: false }),
  ]
}

/** How GitHub names the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

async function showMarkdown(markdown: string, path: string, request: Request) {
  // Only here, because a start only looks for the documentation.
  const [{ Marked, Renderer }, { bareFrameOf }] = await Promise.all([
    import('marked'),
    import('./define-page.ts'),
  ])
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        const content = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${content}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const { pathname } = new URL(href, `http://console${path}`)
        const isServed = URL.canParse(href) || pathname.startsWith(`${documentationPath}/`)
        return isServed ? false : this.parser.parseInline(tokens)
      },
      // It may scroll sideways, which needs the focus for the keyboard.
      code(token) {
        const code = Renderer.prototype.code.call(this, token)
        return code.replace('<pre>', '<pre tabindex="0">')
      },
      table(token) {
        const table = Renderer.prototype.table.call(this, token)
        return `<div class="scrollable" tabindex="0">${table}</div>`
      },
    },
  })
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path
  return page({
    ...bareFrameOf(request),
    language: 'en',
    title: `${title} · lear-testbed`,
    stylesheet: '/assets/console.css',
    images: ["'self'"],
    body: html`<main class="document">
<p><a href="/">Testbed console</a> · <a href="${documentationPath}/README.md">Documentation</a></p>
${trustedHtml(await marked.parse(markdown))}
<p class="hint">For a site with search and diagrams, run <code>npm run docs</code>.</p>
</main>`,
  })
}
