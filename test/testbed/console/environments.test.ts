import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed({ environments: ['pre', 'pro'] })
let opened: OpenConsole
beforeAll(async () => {
  opened = await openConsole(shared)
  // A wallet receives a credential in pre; pro is asked for something that it does not have.
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  await acceptOffer(wallet, await shared.order())
  await fetch(`${shared.file.environments.pro?.credentialIssuerUrl}/offers/of-pro`)
})
afterAll(() => opened?.close())

describe('what happens in two environments', () => {
  it('is recorded with its environment', async () => {
    const { body } = await shared.control('/traces')
    const hops = body.hops as { environment?: string; to: string; url: string }[]
    const environmentsOf = (matches: (hop: (typeof hops)[number]) => boolean) => [
      ...new Set(hops.filter(matches).map(({ environment }) => environment)),
    ]
    expect(environmentsOf(({ url }) => url.endsWith('/of-pro'))).toEqual(['pro'])
    expect(environmentsOf(({ to, url }) => to === 'connector' && url === '/credential')).toEqual([
      'pre',
    ])
    expect(environmentsOf(({ to }) => to === 'chain').sort()).toEqual(['pre', 'pro'])
  })

  it.each([
    ['pre', '/credential', '/of-pro'],
    ['pro', '/of-pro', '/credential'],
  ])('is among the exchanges of %s only if it happened there', async (env, own, foreign) => {
    await opened.visit(`/exchanges?env=${env}`)
    const { page } = opened
    await page.waitForSelector(`xpath/.//*[@data-row][contains(., "${own}")]`)
    await page.evaluate(`
      URL.createObjectURL = (blob) => (window.saved = blob.text(), 'data:,')
      HTMLAnchorElement.prototype.click = () => {}`)
    await page.click('[data-export="har"]')
    await page.waitForFunction('window.saved !== undefined')
    const file = String(await page.evaluate('window.saved'))
    const { entries } = JSON.parse(file).log as { entries: { request: { url: string } }[] }
    const has = (path: string) => entries.some(({ request: { url } }) => url.endsWith(path))
    expect([has(own), has(foreign)]).toEqual([true, false])
  })

  it('is on the home page of that environment', async () => {
    const read = async (env: string) => (await opened.get(`/console/activity?env=${env}`)).text
    expect(await read('pre')).toContain('Ana Ruiz received an OrgPortalLearCredential')
    expect(await read('pro')).toContain('Nothing yet')
    expect((await opened.get('/console/activity?env=other')).status).toBe(404)
    for (const [env, isThere] of [
      ['pre', true],
      ['pro', false],
    ] as const) {
      const { text } = await opened.get(`/?env=${env}`)
      expect(text.includes('Ana Ruiz received')).toBe(isThere)
    }
  })
})
