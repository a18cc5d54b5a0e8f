import { emptyIcon, html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from './define-route.ts'

export interface PageOptions {
  readonly status?: number
  /** BCP 47. Default: `en`. */
  readonly language?: string
  /** Default: the browser's. */
  readonly theme?: 'light' | 'dark' | undefined
  readonly title: string
  /** Path of the style sheet. */
  readonly stylesheet: string
  readonly body: SafeHtml
  /** Additional elements of the head. */
  readonly head?: SafeHtml
  /** Additional directives, for example `script-src 'self'`. */
  readonly policy?: readonly string[]
  /** Sources of images other than `data:`. */
  readonly images?: readonly string[]
  /** Other addresses that the page's forms may redirect to. */
  readonly formTargets?: readonly string[]
}

/**
 * Returns a page as response: without external resources, inline scripts or styles, framing, or
 * caching. Scripts run only if `policy` allows them.
 */
export function page(
  options: PageOptions,
): Required<Omit<Reply, 'body'>> & { readonly body: string } {
  const { status = 200, language = 'en', theme, title, stylesheet, body, head } = options
  const markup = html`<!doctype html>
<html lang="${language}"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${emptyIcon}
<link rel="stylesheet" href="${stylesheet}">
${head}
</head>
<body>
${body}
</body>
</html>`.markup
  const { policy = [], images = [], formTargets = [] } = options
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    ['img-src data:', ...images].join(' '),
    ...policy,
    // Browsers also apply this to redirects after a form.
    ["form-action 'self'", ...formTargets.flatMap(originOf)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': directives.join('; '),
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    },
    body: markup,
  }
}

export interface PageBarOptions {
  /** Name of the service. */
  readonly name: string
  readonly menu?: SafeHtml | undefined
  /** What follows the menu. */
  readonly end?: SafeHtml | undefined
  /** Address of the console of a testbed. */
  readonly consoleUrl: string | undefined
  /** Text of the link to it. */
  readonly consoleLabel?: string
}

/** The bar above the pages of a service, with `barStyle`: name, menu, and the way to the console. */
export function pageBar(options: PageBarOptions): SafeHtml {
  const { name, menu, end, consoleUrl, consoleLabel = 'Testbed console' } = options
  return html`<header class="bar">
<p class="brand">${name}</p>
${menu}
${consoleUrl && html`<a class="console" href="${consoleUrl}/">${consoleLabel}</a>`}
${end}
</header>`
}

/** Redirects a browser by GET (RFC 9110, 15.4.4). */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } }
}

function originOf(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { origin, protocol } = new URL(address)
  return [/^https?:$/.test(protocol) ? origin : protocol]
}
