import { describe, expect, it } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { callRpc } from '#test/support/chain.ts'
import { openBrowser, shareSession } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
const { open } = shareSession(shared)

const pathOf = (did: string) => `/registries/pre/identifiers/${encodeURIComponent(did)}`
const validAt = async (did: string, time: number) => {
  const { status, text } = await open(`/console${pathOf(did)}?valid_at=${time}`)
  return { status, body: JSON.parse(text) }
}

describe('the history of a DID', () => {
  it('shows the document that the registry returns for a time', async () => {
    const { did } = shared.pre.trustChain.tao
    const url = `${shared.pre.didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
    const now = Math.floor(Date.now() / 1000)
    const expected = await (await fetch(`${url}?valid-at=${now}`)).json()
    expect(await validAt(did, now)).toEqual({
      status: 200,
      body: { request: expect.stringContaining(`valid-at=${now}`), document: expected },
    })
    expect((await validAt(did, 1000)).body.document).toBeNull()
  })

  it('rejects a time that is not a number, and a DID of another registry', async () => {
    const { did } = shared.pre.trustChain.tao
    const path = `/console${pathOf(did)}`
    expect((await open(`${path}?valid_at=soon`)).status).toBe(400)
    expect((await validAt('did:key:z6Mk', 1000)).status).toBe(404)
  })

  it('moves with a slider to a time before the registration, also by keyboard', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink())
    await page.goto(`${shared.file.consoleUrl}${pathOf(shared.pre.trustChain.tao.did)}`)
    const row = await page.waitForSelector('tr[data-key] .badge.good')
    expect(await row?.evaluate((badge) => badge.closest('tr')?.innerText)).toMatch(
      /secp256k1\s+valid[\s\S]*authentication[\s\S]*assertionMethod/,
    )
    await expectAccessible(page)
    await page.focus('#moment')
    await page.keyboard.press('Home')
    const warning = await page.waitForSelector('#validity .warning')
    expect(await warning?.evaluate((element) => element.textContent)).toBe(
      'The DID was not registered at that time.',
    )
  })
})

describe('the pages of the chain', () => {
  it('name the methods and events of each transaction', async () => {
    const { text } = await open('/registries/pre/chain')
    for (const name of ['insertFirstDidDocument', 'setAttributeMetadata', 'AttributeDataSet']) {
      expect(text).toContain(name)
    }
    const latest = Number((await callRpc(shared.pre.chain.rpcUrl, 'eth_blockNumber')).result)
    expect(text).toContain(`of ${latest}`)
    const first = await open('/registries/pre/chain?last=0')
    expect(first.text).toContain('Blocks 0 to 0')
  })

  it('show the arguments of a transaction, with names next to DIDs', async () => {
    const { trustChain, chain } = shared.pre
    const filter = { address: chain.tirAddress, fromBlock: '0x0' }
    const { result } = await callRpc(chain.rpcUrl, 'eth_getLogs', filter)
    const hash = (result as { transactionHash: string }[]).at(-1)?.transactionHash
    const { status, text } = await open(`/registries/pre/transactions/${hash}`)
    expect(status).toBe(200)
    for (const shown of ['setAttributeData', 'AttributeDataSet', trustChain.issuer.did, 'Issuer']) {
      expect(text).toContain(shown)
    }
  })

  it('escape an unknown hash', async () => {
    const marked = encodeURIComponent('<script>alert(1)</script>')
    const { status, text } = await open(`/registries/pre/transactions/${marked}`)
    expect([status, text]).toEqual([404, expect.not.stringContaining('<script>alert')])
  })

  it('lead to the other environment when the menu chooses it', async () => {
    expect(await open('/registries/pre?env=pre')).toMatchObject({ status: 200 })
    expect((await open('/registries/pre?env=none')).status).toBe(404)
  })
})
