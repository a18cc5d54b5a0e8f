import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'

export interface PageOptions {
  readonly status?: number
  /** BCP 47. Default: `en`. */
  readonly language?: string
  readonly title: string
  /** Path of the style sheet. */
  readonly stylesheet: string
  readonly body: SafeHtml
  /** In the head, beside title and style. */
  readonly head?: SafeHtml
  /** Directives that allow more, for example `script-src 'self'`. */
  readonly policy?: readonly string[]
  /** Addresses to which forms of the page lead in the end, besides this service. */
  readonly formTargets?: readonly string[]
}

/**
 * A page as an answer: nothing from elsewhere, no inline script or style, no framing, kept nowhere.
 * Scripts run where `policy` allows them.
 */
export function page(
  options: PageOptions,
): Required<Omit<Reply, 'body'>> & { readonly body: string } {
  const { status = 200, language = 'en', title, stylesheet, body, head } = options
  const markup = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${stylesheet}">
${head}
</head>
<body>
${body}
</body>
</html>`.markup
  const { policy = [], formTargets = [] } = options
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    ...policy,
    // Browsers hold redirects after a form against this too.
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

/** Leads a browser on by GET (RFC 9110, 15.4.4). */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } }
}

function originOf(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { origin, protocol } = new URL(address)
  return [/^https?:$/.test(protocol) ? origin : protocol]
}
