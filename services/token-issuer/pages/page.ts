import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'

export interface PageOptions {
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** Origins to which the page's forms may lead besides this one. */
  readonly formTargets?: readonly string[]
}

/** A page as an answer: nothing from elsewhere, no script at all, no framing, not kept anywhere. */
export function page(options: PageOptions): Required<Omit<Reply, 'body'>> & { body: string } {
  const { status = 200, title, body, formTargets = [] } = options
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/login/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>`.markup
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `form-action 'self' ${formTargets.join(' ')}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
    body: markup,
  }
}
