import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import express, { type Router } from 'express'
import { appStyle } from '#core/html/styles.ts'
import { exchangeStyle } from '#scenarios/reports/exchange-style.ts'
import { mailFrameStyle, mailFrameStylesheet } from '#services/mail/domain/mail-frame.ts'

const assets = resolve(import.meta.dirname, '../assets')
/** Node resolves to the modules for servers, in a folder below those for browsers. */
const litHtml = dirname(dirname(createRequire(import.meta.url).resolve('lit-html')))

/** The modules that draw exchanges, which the reports of a run contain too. */
const report = resolve(import.meta.dirname, '../../../scenarios/reports/browser')

/** The style of these modules, with the colours of the console's. */
const diagramStyle = `.exchange-view {
--sunken: var(--inset, light-dark(#f5f7fb, #222835)); --edge: var(--line, #d8dfea);
--text: var(--ink, #182136); --faint: var(--soft, #525d72); --bad: var(--alert, #94211a);
--warn: var(--wait, #5c4300); --moved: light-dark(#6a3fb0, #bf9cff);
color-scheme: inherit; position: relative;
${exchangeStyle}
.hop.chosen .hit { fill: color-mix(in srgb, var(--tone) 18%, transparent); stroke: var(--tone) }
.diagram { overflow-anchor: none }
.diagram[hidden] { display: none }
.jump { position: absolute; right: 1.25rem; bottom: .75rem; background: var(--card) }
.label.entry { font: 600 12px system-ui, sans-serif }
h4, h5 { margin: .75rem 0 .25rem; font-size: 1rem }
pre.json { font: .85rem/1.5 var(--mono) }
.part, .exchange, .headers { font-size: .85rem }
}
`

/** Serves the console's style, its modules, and lit-html, below `/assets/`. */
export function serveAssets(): Router {
  const router = express.Router()
  const style = appStyle + readFileSync(join(assets, 'console.css'), 'utf8')
  const options = { index: false as const, redirect: false }
  router.get('/assets/console.css', (_request, response) => {
    response.type('text/css').set('cache-control', 'no-cache').send(style)
  })
  router.get('/assets/exchange-diagram.css', (_request, response) => {
    response.type('text/css').set('cache-control', 'no-cache').send(diagramStyle)
  })
  router.use('/assets/report', express.static(report, options))
  router.get(mailFrameStylesheet, (_request, response) => {
    response.type('text/css').set('cache-control', 'no-cache').send(mailFrameStyle)
  })
  router.use('/assets/lit-html', express.static(litHtml, options))
  router.use('/assets', express.static(assets, options))
  return router
}
