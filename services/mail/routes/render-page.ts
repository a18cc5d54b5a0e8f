import { html, type SafeHtml } from '#core/html/html.ts'

/** A mail's own markup may bring in nothing: no script, no remote image. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

/** The frame of the mail server's pages. */
export function renderPage(title: string, body: SafeHtml): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
a { color: #0b57a4 }
.mails { list-style: none; margin: 0; padding: 0 }
.mails a { display: grid; grid-template-columns: 1fr; gap: 0 1rem; padding: .6rem; border-bottom: 1px solid #ddd; text-decoration: none }
.mails a:hover, .mails a:focus-visible { background: #eef4fb }
.mails span, .envelope { overflow-wrap: anywhere; min-width: 0 }
.subject { font-weight: 600 }
.to, time { color: #555 }
@media (min-width: 45rem) { .mails a { grid-template-columns: 2fr 1fr auto } }
iframe { box-sizing: border-box; width: 100%; height: 40rem; border: 1px solid #ddd; background: #fff }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; padding: 1rem }
</style>
</head>
<body><main>${body}</main></body>
</html>`.markup
}
