import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Texts } from './texts/texts.ts'

export interface PageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** In the head, beside title and style. */
  readonly head?: SafeHtml
  /** An address to which a form of the page leads in the end, besides this service. */
  readonly formTarget?: string
}

/** A page as an answer: nothing from elsewhere, no inline script, no framing, kept nowhere. */
export function page(
  { language }: Texts,
  { status = 200, title, body, head, formTarget }: PageOptions,
): Required<Omit<Reply, 'body'>> & { readonly body: string } {
  const markup = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/accounts/assets/login.css">
${head}
</head>
<body>
${body}
</body>
</html>`.markup
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // Browsers hold redirects after a form against this too.
    `form-action 'self' ${originOf(formTarget)}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    },
    body: markup,
  }
}

function originOf(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return ''
  const { origin, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? origin : protocol
}
