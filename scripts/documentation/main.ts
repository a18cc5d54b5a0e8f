// Builds the documentation site and serves it on this machine; see --help.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import express from 'express'
import { findDocumentation, serveDocumentation } from '#testbed/console/frame/documentation.ts'
import { readArguments } from '../read-arguments.ts'
import { buildSite } from './build-site.ts'

const usage = `npm run docs -- [--build|--no-build] [--port N]

Builds the documentation site and serves it on this machine.

--build     only builds it
--no-build  serves the site that was built before
--port N    where to listen; by default 4090; 0 for a free port
--help      prints this text`

const { values } = readArguments(usage, {
  allowNegative: true,
  options: { build: { type: 'boolean' }, port: { type: 'string', default: '4090' } },
})

if (values.build !== false) {
  const folder = await buildSite(dirname(dirname(import.meta.dirname)))
  console.log(`The documentation site is built: ${folder}`)
}
if (values.build !== true) {
  const documentation = findDocumentation()
  if (documentation === undefined) throw new Error('There is no documentation here.')
  const app = express()
  app.get('/', (_request, response) => response.redirect('/docs/'))
  app.use(serveDocumentation(documentation))
  const server = createServer(app).listen(Number(values.port), '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  console.log(`Documentation: http://127.0.0.1:${port}/docs/${documentation.start}`)
}
