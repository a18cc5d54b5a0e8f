import { html, type SafeHtml } from '#core/html/html.ts'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Language } from '#kit/language.ts'
import { page as kitPage } from '#kit/page.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { renderNotice } from './notice.ts'
import { frameTexts, type SectionGroup, type SectionName, sections } from './sections.ts'

/** What the frame around a page shows. */
export interface Frame {
  readonly language: Language
  readonly theme: 'light' | 'dark' | undefined
  /** The chosen environment, and all of them. */
  readonly environment: string
  readonly environments: readonly string[]
  /** Of the page's address, with its leading `?` if it is not empty. */
  readonly query: string
  /** Paths of the sections that exist. */
  readonly built: ReadonlySet<string>
  readonly documentationPath: string | undefined
  /** Sentences about what is modified in the test environment. */
  readonly notice: readonly string[]
}

export interface ConsolePageOptions {
  readonly status?: number
  readonly title: string
  /** The entry of the menu to which the page belongs, if it does. */
  readonly section?: SectionName
  readonly body: SafeHtml
  /** File name of the page's module in `assets/`. */
  readonly script?: string
  /** File name of the page's own style in `assets/`. */
  readonly style?: string
  /** JSON for the page's module, which reads it with `pageData()`. */
  readonly data?: unknown
  /** Additional directives of the Content-Security-Policy. */
  readonly policy?: readonly string[]
}

/** A page of the console in its frame: menu, environment, language, theme, notice. */
export function consolePage(frame: Frame, options: ConsolePageOptions): Reply {
  const { status = 200, title, section, body, script, style, data, policy = [] } = options
  const { language, notice, documentationPath } = frame
  const texts = frameTexts[language]
  const refusal = { ...texts.refusal, isLinked: documentationPath !== undefined }
  return document(frame, {
    status,
    title: title === texts.product ? title : `${title} · ${texts.product}`,
    policy,
    modules: ['frame.js', 'notice.js', ...(script === undefined ? [] : [script])],
    early: texts.incomplete,
    style,
    body: html`<a class="skip" href="#main">${texts.skip}</a>
${menu(frame, section)}
<div class="content">
${renderNotice(language, notice)}
<main id="main" data-page="${data !== undefined && JSON.stringify(data)}" data-environment="${frame.environment}" data-refusal="${JSON.stringify(refusal)}" data-calls="${JSON.stringify(texts.calls)}">
<h1>${title}</h1>
${body}
</main>
</div>`,
  })
}

interface DocumentOptions {
  readonly status: number
  readonly title: string
  readonly body: SafeHtml
  readonly modules?: readonly string[]
  /** What a form says if its module could not be loaded. */
  readonly early?: string
  readonly style?: string | undefined
  readonly policy?: readonly string[]
}

function document(
  { language, theme }: Pick<Frame, 'language' | 'theme'>,
  { status, title, body, modules = [], early, style, policy = [] }: DocumentOptions,
): Reply {
  const scripts = modules.map((file) => html`<script src="/assets/${file}" type="module"></script>`)
  const reply = kitPage({
    status,
    language,
    theme,
    title,
    stylesheet: '/assets/console.css',
    head: html`${style && html`<link rel="stylesheet" href="/assets/${style}">`}${early && html`<script src="/assets/early.js" data-failed="${early}"></script>`}${scripts}`,
    policy: ["script-src 'self'", "connect-src 'self'", ...policy],
    images: ["'self'", 'blob:'],
    body,
  })
  // With the services' usual no-referrer, browsers would send forms with "Origin: null".
  return { ...reply, headers: { ...reply.headers, 'referrer-policy': 'same-origin' } }
}

/** A path of the console that keeps the chosen environment. */
export function pathIn(
  { environment, environments }: Pick<Frame, 'environment' | 'environments'>,
  path: string,
): string {
  if (environment === environments[0]) return path
  return `${path}${path.includes('?') ? '&' : '?'}env=${environment}`
}

function menu(frame: Frame, current: SectionName | undefined): SafeHtml {
  const { language, environment, environments, documentationPath } = frame
  const texts = frameTexts[language]
  const built = sections.filter(({ path }) => frame.built.has(path))
  const groups = [...new Set(built.map(({ group }) => group))].map(
    (group: SectionGroup) => html`<li><p class="group">${texts.groups[group]}</p>
<ul>${built
      .filter((section) => section.group === group)
      .map(
        ({ name, path }) =>
          html`<li><a href="${pathIn(frame, path)}"${name === current && html` aria-current="page"`}>${texts.sections[name]}</a></li>`,
      )}</ul></li>`,
  )
  return html`<header class="side">
<p class="brand"><a href="${pathIn(frame, '/')}">${texts.product}</a></p>
<button type="button" class="button small" id="menu" aria-expanded="false" aria-controls="menu-content">${texts.menu}</button>
<div id="menu-content">
<nav aria-label="${texts.menu}"><ul>${groups}</ul></nav>
<div class="choices">
${
  environments.length > 1 &&
  choices(frame, {
    label: texts.environment,
    parameter: 'env',
    chosen: environment,
    options: environments.map((each) => [each, each]),
  })
}
${choices(frame, {
  label: texts.language,
  parameter: 'lang',
  chosen: language,
  options: [
    ['en', 'English'],
    ['es', 'Español'],
  ],
})}
${choices(frame, {
  label: texts.theme,
  parameter: 'theme',
  chosen: frame.theme ?? 'system',
  options: Object.entries(texts.themes),
})}
${documentationPath && html`<p><a href="${documentationPath}">${texts.documentation}</a></p>`}
</div>
</div>
</header>`
}

interface Choices {
  readonly label: string
  readonly parameter: 'env' | 'lang' | 'theme'
  readonly chosen: string
  readonly options: readonly (readonly [value: string, name: string])[]
}

/** Links that keep the address and change one of its parameters. */
function choices({ query }: Frame, { label, parameter, chosen, options }: Choices): SafeHtml {
  const links = options.map(([value, name]) => {
    const searchParams = new URLSearchParams(query)
    searchParams.set(parameter, value)
    const isChosen = value === chosen && html` aria-current="true"`
    const language = parameter === 'lang' && html` lang="${value}" hreflang="${value}"`
    return html`<a href="?${searchParams}"${isChosen}${language}>${name}</a>`
  })
  return html`<p role="group" aria-label="${label}">${links}</p>`
}

/** A table that scrolls separately, also by keyboard, if the window is narrower than it. */
export function scrollable(label: string, table: SafeHtml): SafeHtml {
  return html`<div class="scrollable" role="region" aria-label="${label}" tabindex="0">
${table}
</div>`
}

/** A long value, shortened in the middle. */
export function shorten(value: string, head = 10, tail = 6): string {
  return value.length <= head + tail + 1 ? value : `${value.slice(0, head)}…${value.slice(-tail)}`
}

/** A button that copies a value, of which `shown` is visible next to it. */
export function copyButton(language: Language, value: string, shown: string): SafeHtml {
  const { copy } = frameTexts[language]
  return html`<button type="button" class="copy" data-copy="${value}" aria-label="${copy} ${shown}">⧉</button>`
}

/** A hash, key or other long value: shortened, with a button that copies all of it. */
export function shortened(language: Language, value: string, head = 10, tail = 6): SafeHtml {
  const shown = shorten(value, head, tail)
  return html`<span class="hash"><code title="${value}">${shown}</code>${copyButton(language, value, shown)}</span>`
}

/** Explains why the console does not open and how to open it. */
export function closedPage(
  frame: Pick<Frame, 'language' | 'theme'>,
  reason: 'unopened' | 'used' = 'unopened',
): Reply {
  const { closed } = frameTexts[frame.language]
  return document(frame, {
    status: 401,
    title: closed.title,
    body: html`<main class="closed">
<h1>${closed.title}</h1>
<p>${closed[reason]}</p>
<p>${closed.otherBrowser}</p>
<pre>${programCommand} open --print</pre>
<p>${closed.withoutProgram}</p>
<pre>curl -X POST -H "authorization: Bearer <i>${closed.token}</i>" <i>${closed.address}</i>/control/console-links</pre>
</main>`,
  })
}

/**
 * The paragraph of a rule with its label: a link if the console has the documentation.
 * @param paragraph `docs/profile/PAGE.md#ID`
 */
export function paragraphRow(
  { language, documentationPath }: Frame,
  paragraph: string | undefined,
): SafeHtml | undefined {
  if (paragraph === undefined) return undefined
  const shown = paragraph.replace(/^docs\/profile\//, '')
  return html`<dt>${frameTexts[language].refusal.paragraph}</dt><dd>${
    documentationPath === undefined
      ? html`<code>${shown}</code>`
      : html`<a href="${paragraphAddress('/docs', paragraph)}">${shown}</a>`
  }</dd>`
}
