import { describe, expect, it } from 'vitest'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser, shareSession } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { pageLinks } from '#testbed/console/registries/page.ts'

const shared = shareTestbed()
const { open } = shareSession(shared)

const control = async (method: string, path: string) =>
  (await shared.control(path, { method })).body
const historyOf = (did: string) => `/registries/pre/identifiers/${encodeURIComponent(did)}`

describe('the console', () => {
  it('shows the IDP as degraded while something that a login needs is unavailable', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    // The key is kept by a script, and not shown.
    expect(page.url()).toBe(`${shared.file.consoleUrl}/`)
    const badge = (state: string) => `[data-url="${shared.pre.idpBaseUrl}"] .badge.${state}`
    await page.waitForSelector(badge('good'))
    await control('PUT', '/pre/faults/tir-down')
    await page.reload()
    const degraded = await page.waitForSelector(badge('wait'))
    await control('DELETE', '/pre/faults/tir-down')
    expect(await degraded?.evaluate((element) => element.closest('li')?.innerText)).toMatch(
      /Degraded[\s\S]*tir unavailable/,
    )
    await page.reload()
    await page.waitForSelector(badge('good'))
  })
})

describe('a one-time link', () => {
  it('also gives a browser the key if it leads to the documentation', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink('/docs'))
    await page.waitForFunction('location.pathname.startsWith("/docs")')
    expect(new URL(page.url()).hash).toBe('')
    await page.goto(shared.file.consoleUrl)
    // The key is right, so that only the missing body is rejected.
    const status = await page.evaluate(async () => {
      const headers = { 'x-console-key': localStorage.getItem('lear-testbed-key') ?? '' }
      return (await fetch('/console/preflights', { method: 'POST', headers })).status
    })
    expect(status).toBe(400)
  })
})

describe('the page of the registries', () => {
  it('shows the seeded trust chain as a tree and leads to the history of each DID', async () => {
    expect((await open('/')).text).toContain('href="/registries"')
    const { status, location } = await open('/registries')
    expect([status, location]).toEqual([303, '/registries/pre'])
    const { text } = await open('/registries/pre')
    const { rootTao, tao, issuer } = shared.pre.trustChain
    const rows = text.split('<tr').filter((row) => row.includes('depth-'))
    const shown = [rootTao, tao, issuer].map(({ did, attributeId }) =>
      rows.findIndex((row) => row.includes(did) && row.includes(attributeId)),
    )
    expect(shown).toEqual([0, 1, 2])
    expect(shown.map((row) => /depth-\d/.exec(rows[row] ?? '')?.[0])).toEqual([
      'depth-0',
      'depth-1',
      'depth-2',
    ])
    for (const { did } of [rootTao, tao, issuer]) {
      expect(text).toContain(`href="${historyOf(did)}"`)
      const history = await open(historyOf(did))
      expect([history.status, history.text]).toEqual([
        200,
        expect.stringContaining('FirstDidDocumentInserted'),
      ])
      // The registration's transaction once, next to the events of the key that it added.
      const [, registration = ''] = history.text.split('<p class="row when">')
      const names = registration.matchAll(/<code class="event">(\w+)</g)
      expect([...names].map(([, name]) => name)).toEqual([
        'FirstDidDocumentInserted',
        'VerificationMethodAdded',
        'VerificationRelationshipAdded',
        'VerificationRelationshipAdded',
      ])
      expect(registration.match(/href="[^"]*\/transactions\//g)).toHaveLength(1)
    }
  })

  it('are readable on a phone and accessible, like the console itself', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    for (const path of ['/', '/registries/pre', historyOf(shared.pre.verifierDid)]) {
      await page.goto(`${shared.file.consoleUrl}${path}`)
      await expectAccessible(page)
      await page.setViewport({ width: 360, height: 800 })
      // Cells of one character a line would make it a hundred times as long.
      const height = await page.evaluate('document.documentElement.scrollHeight')
      expect([path, height]).toEqual([path, expect.toSatisfy((pixels: number) => pixels < 9000)])
    }
  })

  it('serves the paragraph of a rule as part of the documentation', async () => {
    const address = paragraphAddress(
      `${shared.file.consoleUrl}/docs`,
      paragraphOfRule('presentation.nonce') ?? '',
    )
    const response = await fetch(address)
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining(`id="${address.split('#')[1]}"`),
    ])
  })

  it('opens only with its cookie', async () => {
    for (const path of ['/registries/pre', historyOf(shared.pre.verifierDid)]) {
      for (const cookie of ['', 'testbed_console=x']) {
        const { status, text } = await open(path, { cookie })
        expect([status, text]).toEqual([401, expect.not.stringContaining('did:org')])
      }
    }
  })

  it('returns 404 for another environment, and shows no events for an unknown DID', async () => {
    expect((await open('/registries/none')).status).toBe(404)
    const marked = '<script>alert(1)</script>'
    const { status, text } = await open(historyOf(marked))
    expect([status, text]).toEqual([404, expect.not.stringContaining(marked)])
  })

  it('is not recorded as a hop of the protocols', async () => {
    const before = await control('GET', '/traces')
    await open('/registries/pre')
    const after = await control('GET', '/traces')
    expect(after.hops).toHaveLength(before.hops.length)
  })

  it('says so if a registry does not respond', async () => {
    await control('PUT', '/pre/faults/chain-down')
    const { status, text } = await open('/registries/pre')
    await control('DELETE', '/pre/faults/chain-down')
    expect([status, text]).toEqual([200, expect.stringContaining('The TIR does not respond.')])
    expect((await open('/registries/pre')).text).not.toContain('does not respond')
  })
})

const listAt = (page: number) => ({ page, pageSize: 50, total: 120 })
type Given = Parameters<typeof pageLinks> extends [unknown, ...infer Rest] ? Rest : never
const hrefsOf = (...given: Given) =>
  [...pageLinks('en', ...given).markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)

describe('the links between pages', () => {
  it('lead to the previous page and the next one, and the other list stays unchanged', () => {
    expect(hrefsOf('events', listAt(2), { issuers: listAt(3) })).toEqual([
      '?issuers=3&amp;events=1',
      '?issuers=3&amp;events=3',
    ])
  })

  it.each([
    ['the first page', 1, ['?events=2']],
    ['the last page', 3, ['?events=2']],
    ['a page after the last', 9, ['?events=3']],
  ])('of %s lead to existing pages', (_, page, hrefs) => {
    expect(hrefsOf('events', listAt(page))).toEqual(hrefs)
  })
})
