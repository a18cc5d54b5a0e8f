import { expect, it, onTestFinished } from 'vitest'
import { createDid } from '#core/did/did-proof.ts'
import { callJson } from '#test/support/http.ts'
import { expectReadable, openConsole, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()

it('are readable in both languages, on a phone and a desktop, light and dark', async () => {
  const { page, visit, close } = await openConsole(shared)
  onTestFinished(close)
  const { did } = shared.pre.trustChain.issuer
  const paths = ['', '/chain', '/changes', `/identifiers/${encodeURIComponent(did)}`]
  for (const path of paths) {
    await visit(`/registries/pre${path}`)
    await expectReadable(page)
  }
  await visit('/registries/pre/chain')
  await page.click('td a[href*="/transactions/"]')
  await page.waitForSelector('dl')
  await expectReadable(page)
})

it('register a DID and roll its key without a mouse', async () => {
  const { page, visit, textOf, close } = await openConsole(shared)
  onTestFinished(close)
  await visit('/registries/pre/changes')
  await tabTo(page, '#name')
  await page.keyboard.type('Garza Foods')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.private-key')
  expect(await textOf('.result [role="status"]')).toContain('insertFirstDidDocument')
  await tabTo(page, '.result a[href*="/identifiers/"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('tr[data-key] .badge.good')
  expect(await textOf('h1')).toBe('Garza Foods')
  await tabTo(page, '#roll')
  await tabTo(page, '[data-write="keys"] .button')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.private-key')
  await page.reload()
  await page.waitForSelector('tr[data-key] .badge.good')
  expect(await page.$$eval('tr[data-key] .badge.good', (badges) => badges.length)).toBe(2)
})

it('have every key and moment of a long history on the slider', async () => {
  const { page, visit, textOf, close } = await openConsole(shared)
  onTestFinished(close)
  const change = async (what: string, json: object) => {
    const headers = { authorization: `Bearer ${shared.file.control.token}` }
    const url = `${shared.file.consoleUrl}/console/registries/pre/${what}`
    return (await callJson(url, { json, headers })).body
  }
  const { did } = await change('dids', { name: 'Harbour Yarns', also_known_as: 'VATES-H11111111' })
  const rolled: string[] = []
  for (let number = 0; number < 40; number++) {
    const { privateKey } = await change('keys', { did, operation: 'roll' })
    rolled.push(createDid(privateKey, 'pre').vMethodId)
  }
  const path = `identifiers/${encodeURIComponent(did)}`
  const events = `${shared.pre.didRegistryBaseUrl}/api/v1/explorer/${path}/events`
  const { body } = await callJson(`${events}?pageSize=100&page=2`)
  expect(body.total).toBeGreaterThan(100)
  await visit(`/registries/pre/${path}`)
  await page.waitForSelector('tr[data-key]')
  const keys = await page.$$eval('tr[data-key]', (rows) => rows.map(({ dataset }) => dataset.key))
  expect(keys.slice(1)).toEqual(rolled)
  const { stops } = JSON.parse(
    (await page.$eval('#main', ({ dataset }) => dataset.page)) ?? '',
  ) as { stops: { time: number }[] }
  expect(stops.map(({ time }) => time)).toContain(body.items.at(-1).blockTime)
  expect(await textOf('.pages')).toMatch(new RegExp(`^${body.total} in all, page 1 of \\d next$`))
})
