import { html, type SafeHtml } from '#core/html/html.ts'

/** A whole page; all that it needs lies beside it. */
export function page({
  title,
  version,
  body,
}: {
  readonly title: string
  /** Of what it shows: another one makes the script fetch the page again. */
  readonly version: string
  readonly body: SafeHtml
}): SafeHtml {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script src="script.js" defer></script>
</head>
<body data-version="${version}">
${body}
<p id="state" class="soft small" role="status"></p>
</body>
</html>`
}
