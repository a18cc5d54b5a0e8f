import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/** The frame of the console's pages; they load everything from the same port. */
export function page(status: number, title: string, body: SafeHtml): Reply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/console.css">
</head>
<body>
${body}
</body>
</html>`
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
    body: document.markup,
  }
}

/**
 * A table that scrolls separately, also by keyboard, if the window is narrower than its content.
 */
export function scrollable(label: string, table: SafeHtml): SafeHtml {
  return html`<div class="scrollable" role="region" aria-label="${label}" tabindex="0">
${table}
</div>`
}

/** Explains why the console does not open and how to open it. */
export function closedPage(
  reason = 'Open the console with the link that the testbed prints when it starts.',
): Reply {
  return page(
    401,
    'Testbed console',
    html`<main class="narrow">
<h1>Testbed console</h1>
<p>${reason}</p>
<p>For another browser, request a new link:</p>
<pre>curl -X POST -H "authorization: Bearer <i>control.token of testbed.json</i>" <i>this address</i>/control/console-links</pre>
</main>`,
  )
}
