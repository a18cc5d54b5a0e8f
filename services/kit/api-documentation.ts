import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Router } from 'express'
import { html } from '#core/html/html.ts'

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/**
 * The interactive documentation below `docsPath`, with everything it needs on the same server:
 * it works without a network. The document itself is at `{docsPath}/openapi.json`.
 */
export function apiDocumentation(
  docsPath: string,
  title: string,
  createDocument: () => unknown,
): Router {
  const router = express.Router()
  let document: unknown
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${docsPath}/assets/swagger-ui.css">
</head>
<body>
<div id="documentation"></div>
<script src="${docsPath}/assets/swagger-ui-bundle.js"></script>
<script src="${docsPath}/start.js"></script>
</body>
</html>`.markup
  const start = `SwaggerUIBundle(${JSON.stringify({
    url: `${docsPath}/openapi.json`,
    dom_id: '#documentation',
    deepLinking: true,
    validatorUrl: null,
  })})`
  router.get(`${docsPath}/openapi.json`, (_request, response) => {
    document ??= createDocument()
    response.json(document)
  })
  router.get(`${docsPath}/start.js`, (_request, response) => {
    response.type('text/javascript').send(start)
  })
  router.use(`${docsPath}/assets`, express.static(assets, { index: false, redirect: false }))
  router.get(docsPath, (_request, response) => {
    response
      .set(
        'content-security-policy',
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      )
      .type('text/html')
      .send(page)
  })
  return router
}
