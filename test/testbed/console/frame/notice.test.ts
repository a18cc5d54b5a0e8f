import { beforeAll, describe, expect, it } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callJson } from '#test/support/http.ts'
import { openConsole, openSession, returnTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { describeDuration, describeModifications } from '#testbed/console/frame/modifications.ts'

const shared = shareTestbed()
let cookie: string
beforeAll(async () => {
  cookie = (await openSession(shared.testbed.createConsoleLink())).cookie
})

const change = (path: string, method: string, json?: object) =>
  shared.control(path, { method, ...(json && { json }) })

/** Modifies everything that the notice names. */
async function modifyAll() {
  await change('/clock', 'POST', { advance_seconds: 30 * 86_400 + 7200 })
  await change('/pre/faults/tir-down', 'PUT')
  await change('/pre/mining', 'PUT', { mode: 'manual' })
  await change('/pre/management-failure', 'PUT', { failure: 'error' })
}

async function readSentences(language: string): Promise<string[]> {
  const headers = { cookie, 'accept-language': language }
  const { body } = await callJson(`${shared.file.consoleUrl}/console/notice`, { headers })
  return body.sentences
}

describe('the notice about a modified test environment', () => {
  it('appears on an open page, names each modification, and undoes all with one click', async () => {
    const began = realSeconds()
    const { page, textOf, clickThrough, close } = await openConsole(shared)
    expect(await textOf('#notice')).toBe('')
    await modifyAll()
    // The page asks every four seconds, and may do so between two of the changes.
    await expect
      .poll(async () => (await page.$('#notice p')) && (await textOf('#notice p')))
      .toBe(
        'This test environment is modified. The clock is 30 days, 2 hours ahead. The fault tir-down is on. Mining is on hold. The management API fails (error).',
      )
    await clickThrough('#notice button')
    expect(await textOf('#notice')).toBe('')
    expect((await change('/pre/faults/tir-down', 'GET')).body.active).toBe(false)
    expect((await change('/pre/mining', 'GET')).body).toEqual({ mode: 'auto' })
    expect((await change('/pre/management-failure', 'GET')).body.failure).toBeNull()
    expectReadSince((await change('/clock', 'GET')).body.now, began)
    await close()
  })

  it('is part of every page from the beginning, in the language of the reader', async () => {
    await change('/pre/mining', 'PUT', { mode: 'manual' })
    const headers = { cookie, 'accept-language': 'es' }
    const page = await fetch(`${shared.file.consoleUrl}/registries/pre`, { headers })
    // Not only in the data for the script.
    expect(await page.text()).toContain('</strong> La minería está retenida.</p>')
    await change('/pre/mining', 'PUT', { mode: 'auto' })
    expect(await readSentences('es')).toEqual([])
  })

  it('follows what a restored snapshot changes', async () => {
    const { id } = (await change('/snapshots', 'POST')).body
    await modifyAll()
    expect(await readSentences('en')).toHaveLength(4)
    await change(`/snapshots/${id}/restore`, 'POST')
    expect(await readSentences('en')).toEqual([])
  })

  it('offers to reload a page from before the console was opened again', async () => {
    const { page, textOf, clickThrough, close } = await openConsole(shared)
    const browser = page.browserContext()
    await browser.deleteCookie(...(await browser.cookies()))
    await returnTo(page)
    await expect.poll(() => textOf('#notice')).toMatch(/^Your session has ended/)
    const other = await browser.newPage()
    await other.goto(shared.testbed.createConsoleLink())
    await page.bringToFront()
    await returnTo(page)
    await expect.poll(() => textOf('#notice')).toMatch(/^The console was opened again/)
    await clickThrough('#notice button')
    expect([await textOf('h1'), await textOf('#notice')]).toEqual(['LEAR testbed', ''])
    await close()
  })

  it('opens only with the cookie, and changes nothing without an origin', async () => {
    const call = (path: string, method: string, headers = {}) =>
      callJson(`${shared.file.consoleUrl}${path}`, { method, headers })
    expect((await call('/console/notice', 'GET')).status).toBe(401)
    expect((await call('/console/undo', 'POST', { cookie })).status).toBe(401)
  })

  it('is not recorded as an exchange', async () => {
    const before = (await change('/traces', 'GET')).body.hops.length
    await readSentences('en')
    expect((await change('/traces', 'GET')).body.hops).toHaveLength(before)
  })
})

describe('the description of modifications', () => {
  it('names the environment if there are several', () => {
    const modifications = [
      { kind: 'clock', seconds: -3600 },
      { kind: 'fault', environment: 'pro', name: 'tir-down' },
      { kind: 'management', environment: 'pre', failure: 'slow' },
    ] as const
    expect(describeModifications('en', modifications, 2)).toEqual([
      'The clock is 1 hour behind.',
      'pro: The fault tir-down is on.',
      'pre: The management API fails (slow).',
    ])
    expect(describeModifications('es', modifications, 1)).toEqual([
      'El reloj va 1 hora atrasado.',
      'El fallo tir-down está activo.',
      'La API de gestión falla (slow).',
    ])
  })

  it.each([
    [0, ''],
    [59, '59 seconds'],
    [3600, '1 hour'],
    [90_061, '1 day, 1 hour'],
    [366 * 86_400, '366 days'],
  ])('shows %i s in its two largest units', (seconds, text) => {
    expect(describeDuration('en', seconds)).toBe(text)
  })
})
