import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import express, { type Router } from 'express'
import { appStyle } from '#core/html/app-style.ts'

const folder = resolve(import.meta.dirname, '../assets')
/** Node resolves to the modules for servers, in a folder below those for browsers. */
const litHtml = dirname(dirname(createRequire(import.meta.url).resolve('lit-html')))

/** Serves the console's style, its modules, and lit-html, below `/assets/`. */
export function serveAssets(): Router {
  const router = express.Router()
  const style = appStyle + readFileSync(resolve(folder, 'console.css'), 'utf8')
  const options = { index: false as const, redirect: false }
  router.get('/assets/console.css', (_request, response) => {
    response.type('text/css').set('cache-control', 'no-cache').send(style)
  })
  router.use('/assets/lit-html', express.static(litHtml, options))
  router.use('/assets', express.static(folder, options))
  return router
}
