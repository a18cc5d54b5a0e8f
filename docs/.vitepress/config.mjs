// The site that `npm run docs` builds from staged pages: scripts/documentation/build-site.ts
// writes them, starts VitePress with this file, and hashes the scripts that VitePress inlines.
// Plain JavaScript, because only VitePress loads it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { createDiagrams } from './draw-diagrams.mjs'

const { DOCUMENTATION_SOURCE, DOCUMENTATION_SITE } = process.env

// A Content-Security-Policy without 'unsafe-inline' rejects style attributes.
const toClass = transformerStyleToClass({ classPrefix: 'code-' })

const diagrams = createDiagrams()

/** How GitHub names the anchor of a heading, so that one link works in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/**
 * A link after each heading to itself, as in VitePress. Not on the pages of checks and rules, which
 * are short and a thousand. The search index finds headings by these links, so that it gets all.
 */
const permalink = (slug, _options, state, at) => {
  const { isSearched = false, relativePath = '' } = state.env
  if (!isSearched && /^(checks|rules)\//.test(relativePath)) return
  const { children, content } = state.tokens[at + 1]
  const token = (type, tag, nesting, members) =>
    Object.assign(new state.Token(type, tag, nesting), members)
  const attrs = [
    ['class', 'header-anchor'],
    ['href', `#${slug}`],
    ['aria-label', `Permalink to “${content}”`],
  ]
  children.push(
    token('text', '', 0, { content: ' ' }),
    token('link_open', 'a', 1, { attrs }),
    token('html_inline', '', 0, { content: '&ZeroWidthSpace;' }),
    token('link_close', 'a', -1),
  )
}

const page = (text, link) => ({ text, link })

const sections = [
  {
    text: 'Get started',
    items: [page('Documentation', '/'), page('Quick start', '/quick-start')],
  },
  {
    text: 'Concepts',
    items: [
      page('The ecosystem', '/concepts/ecosystem'),
      page('LEAR credential', '/concepts/lear-credential'),
      page('Trust chain', '/concepts/trust-chain'),
      page('Three journeys', '/concepts/journeys'),
      page('Conformance testing', '/concepts/conformance'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('Test my wallet', '/guides/test-my-wallet'),
      page('Test my verifier', '/guides/test-my-verifier'),
      page('Test my issuer', '/guides/test-my-issuer'),
      page('Test my IDP', '/guides/test-my-idp'),
      page('Test my registry', '/guides/test-my-registry'),
      page('Test my relying party', '/guides/test-my-relying-party'),
      page('Conformance results', '/guides/conformance-results'),
      page('Explain a message', '/guides/explain-a-message'),
      page('Wallet over HTTP', '/guides/wallet-over-http'),
      page('Use it in your CI', '/guides/ci'),
      page('Use it in your project', '/guides/use-in-your-project'),
      page('Demo the flows', '/guides/demo'),
      page('Find your way in the console', '/guides/console'),
      page('Configure issuance', '/guides/issuance'),
      page('Work with the registries', '/guides/registries'),
      page('Keycloak', '/guides/keycloak/'),
    ],
  },
  {
    text: 'Profile',
    collapsed: true,
    items: [
      page('Overview', '/profile/'),
      page('DID registry', '/profile/did-registry'),
      page('Transactions', '/profile/transactions'),
      page('TIR', '/profile/tir'),
      page('Trust chain', '/profile/trust-chain'),
      page('Credential', '/profile/credential'),
      page('Issuer', '/profile/issuer'),
      page('Connector', '/profile/connector'),
      page('Wallet', '/profile/wallet'),
      page('Verifier', '/profile/verifier'),
      page('IDP', '/profile/idp'),
      page('Token issuer', '/profile/token-issuer'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Command line', '/reference/command-line'),
      page('Configuration', '/reference/configuration'),
      page('Control interface', '/reference/control-interface'),
      page('Target files', '/reference/conformance-targets'),
      page('Conformance checks', '/reference/conformance-checks'),
      page('Rules', '/reference/rules'),
      page('Wallet faults', '/reference/wallet-faults'),
      page('Events and errors', '/reference/events'),
      page('Wallet library', '/wallet-library'),
      page('Third-party systems', '/reference/foreign-systems/'),
    ],
  },
  {
    text: 'Help',
    items: [page('Troubleshooting', '/troubleshooting'), page('FAQ', '/faq')],
  },
  {
    text: 'Contribute',
    collapsed: true,
    items: [
      page('Contributing', '/contributing'),
      page('Decisions', '/adr/'),
      page('Assumptions', '/assumptions'),
      page('Releases', '/releasing'),
      page('Changelog', '/changelog'),
    ],
  },
]

/**
 * Checks, rules and decisions are found by title, long tables by their introduction: otherwise the
 * index would be four times as large.
 */
const renderForSearch = (source, { relativePath: path }, markdown) => {
  const isLong =
    /^((adr|checks|rules|reference\/foreign-systems)\/|(changelog|releasing|reference\/conformance-checks)\.)/.test(
      path,
    )
  const text = isLong ? source.split(/\n(## |\| )/)[0] : source
  return markdown.render(text, { relativePath: path, isSearched: true })
}

/**
 * Reports and the terminal link to pages as files. No server then maps an address such as
 * `/docs/profile/` to its file. Relative addresses in the pages would be wrong on the site, which
 * changes the address without loading a new page.
 */
const linkFiles = `if (location.protocol === 'file:') addEventListener('DOMContentLoaded', () => {
  const root = document.querySelector('link[href$="code-colors.css"]').href.replace(/[^/]*$/, '')
  const addressOf = (text) => new URL(text.replace(/^\\/docs\\//, root), location)
  for (const image of document.querySelectorAll('img')) image.src = addressOf(image.getAttribute('src'))
  for (const link of document.querySelectorAll('a[href]:not([href^="#"])')) {
    const url = addressOf(link.getAttribute('href'))
    if (url.protocol !== 'file:') continue
    url.pathname = url.pathname.replace(/\\/$/, '/index').replace(/\\/[^/.]+$/, '$&.html')
    link.href = url
  }
})`

export default {
  title: 'lear-testbed',
  description: 'A testbed for login with verifiable credentials',
  lang: 'en',
  base: '/docs/',
  srcDir: DOCUMENTATION_SOURCE,
  outDir: DOCUMENTATION_SITE,
  cacheDir: join(DOCUMENTATION_SITE ?? '', '../vitepress'),
  cleanUrls: true,
  // The default disables transitions with an inline style, which the policy rejects.
  appearance: { disableTransition: false },
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: '/docs/code-colors.css' }],
    ['script', {}, linkFiles],
  ],
  markdown: {
    anchor: { slugify, permalink },
    // Braces in our texts are braces, not attributes.
    attrs: { disable: true },
    codeTransformers: [toClass],
    // An attribute such as style="text-align:left" is inline style, too.
    config: (markdown) => {
      diagrams.use(markdown)
      for (const rule of ['th_open', 'td_open']) {
        markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
          const token = tokens[index]
          token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
          return self.renderToken(tokens, index, options)
        }
      }
    },
  },
  themeConfig: {
    nav: [
      page('Guides', '/guides/test-my-wallet'),
      page('Reference', '/reference/command-line'),
      page('Help', '/troubleshooting'),
    ],
    // One page per check and rule: their sidebar is the table that links to them.
    sidebar: { '/checks/': [], '/rules/': [], '/': sections },
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
  },
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'code-colors.css'), toClass.getCSS())
    diagrams.write(outDir)
  },
}
