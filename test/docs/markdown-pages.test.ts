import { createServer } from 'node:http'
import { resolve } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeServer, listenOn } from '#test/support/servers.ts'
import { serveDocumentation } from '#testbed/console/frame/documentation.ts'

describe('the documentation of a clone without the site', () => {
  const server = createServer()
  let address: string

  beforeAll(async () => {
    const folder = resolve(import.meta.dirname, '../../docs')
    server.on('request', express().use(serveDocumentation({ folder, start: 'README.md' })))
    address = await listenOn(server)
  })

  afterAll(() => closeServer(server))

  const get = async (path: string) => {
    const response = await fetch(`${address}${path}`, { redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('is pages whose paragraphs and headings links lead to', async () => {
    const { status, headers, text } = await get('/docs/profile/verifier')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(text).toContain(
      '<a id="1.resources-and-their-fields/presentation-authorization-request.4"></a>',
    )
    const concepts = await get('/docs/concepts/conformance.md')
    expect(concepts.text).toContain('<h2 id="why-checks-have-mutants">')
  })

  it('begins with the overview, and shows its pictures', async () => {
    const { status, headers } = await get('/docs/')
    expect([status, headers.get('location')]).toEqual([302, '/docs/README.md'])
    expect((await get('/docs/pictures/tour.webp')).headers.get('content-type')).toBe('image/webp')
  })

  it('links to its own pages and to other sites, but to no file that is not served', async () => {
    const { text } = await get('/docs/README.md')
    expect(text).toContain('<a href="guides/test-my-wallet.md">')
    expect(text).toContain('Start with the README.')
    expect((await get('/docs/releasing.md')).text).toMatch(/<a href="https?:/)
  })

  it.each([
    '/docs/nothing',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/.vitepress/config.mjs',
  ])('serves nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
