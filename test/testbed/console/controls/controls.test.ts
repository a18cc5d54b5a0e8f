import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callJson } from '#test/support/http.ts'
import { type OpenConsole, openConsole, returnTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { expectReadSince } from '#test/support/timing.ts'

const shared = shareTestbed()
let opened: OpenConsole
beforeAll(async () => {
  opened = await openConsole(shared)
})
afterAll(() => opened?.close())

const read = async (path: string) => (await shared.control(path)).body
const press = (form: string) => opened.clickThrough(`#${form} button`)

describe('the page of the controls', () => {
  it('moves the clock by a step and by an amount, and returns to real time', async () => {
    const began = realSeconds()
    await opened.visit('/controls')
    await press('clock-86400')
    expect(await opened.textOf('[aria-labelledby="clock"] .badge')).toBe('1 day ahead')
    const { page } = opened
    await page.$eval('#amount', (input) => input.setAttribute('value', '3'))
    await page.select('#unit', 'hours')
    await press('clock-custom')
    expect(await opened.textOf('[aria-labelledby="clock"] .badge')).toBe('1 day, 3 hours ahead')
    expectReadSince((await read('/clock')).now, began, 97_200)
    const shownTime = Date.parse((await opened.textOf('#now')).replace(' UTC', 'Z')) / 1000
    expectReadSince(shownTime, began, 97_200)
    await press('clock-reset')
    expect(await opened.textOf('[aria-labelledby="clock"] .badge')).toBe('Real time')
    expectReadSince((await read('/clock')).now, began)
  })

  it('switches a fault on and off, and keeps the focus on its button', async () => {
    await press('fault-tir-slow')
    expect((await read('/pre/faults/tir-slow')).active).toBe(true)
    const focused = () =>
      opened.page.evaluate('document.activeElement.closest("form")?.id') as Promise<string>
    expect(await focused()).toBe('fault-tir-slow')
    // Enter on the focused button.
    await Promise.all([opened.page.waitForNavigation(), opened.page.keyboard.press('Enter')])
    expect((await read('/pre/faults/tir-slow')).active).toBe(false)
  })

  it('follows what a program changes', async () => {
    const { page } = opened
    const fault = '#fault-tir-slow button'
    await opened.visit('/controls')
    await page.focus(fault)
    await shared.control('/pre/faults/tir-slow', { method: 'PUT' })
    await returnTo(page)
    await expect.poll(() => opened.textOf(fault)).toBe('Switch off')
    // The page's script restores the focus once the page has loaded.
    await expect.poll(() => page.$(`${fault}:focus`)).not.toBeNull()
    await page.focus('#amount')
    await shared.control('/pre/faults/tir-slow', { method: 'DELETE' })
    await returnTo(page)
    await expect.poll(() => opened.textOf('#notice')).toBe('')
    expect(await opened.textOf(fault)).toBe('Switch off')
  })

  it('says so if the testbed does not respond, and if the session has ended', async () => {
    const { page } = opened
    const problemOf = async (form: string) => {
      await page.click(`#${form} button`)
      await page.waitForSelector(`#${form} [role="alert"]`)
      return await opened.textOf(`#${form} [role="alert"]`)
    }
    await opened.visit('/controls')
    await page.setOfflineMode(true)
    expect(await problemOf('clock-3600')).toMatch(/No response from the testbed/)
    await page.setOfflineMode(false)
    const context = page.browserContext()
    const cookies = await context.cookies()
    await context.deleteCookie(...cookies)
    expect(await problemOf('clock-86400')).toMatch(/session has ended/)
    await context.setCookie(...cookies)
  })

  it('marks the English of a service in Spanish pages, but not its own texts', async () => {
    const { page } = opened
    const languageOf = async (form: string) => {
      await page.click(`#${form} button`)
      const text = await page.waitForSelector(`#${form} [role="alert"] p`)
      return text?.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))
    }
    await opened.visit('/controls?lang=es')
    await page.$eval('#clock-86400', (form) => form.setAttribute('data-call', 'POST /control/x'))
    expect(await languageOf('clock-86400')).toBe('en')
    await page.setOfflineMode(true)
    expect(await languageOf('clock-3600')).toBe('es')
    await page.setOfflineMode(false)
    await opened.visit('/controls?lang=en')
  })

  it('describes every fault in both languages', async () => {
    const { faults } = await read('/pre/faults')
    for (const language of ['en', 'es']) {
      const { text } = await opened.get('/controls', { 'accept-language': language })
      for (const { name } of faults) {
        const description = new RegExp(`<code>${name}</code>[^]*?<p class="soft">(.+)</p>`).exec(
          text,
        )
        expect([name, description?.[1]]).toEqual([name, expect.stringMatching(/\.$/)])
      }
    }
  })

  it('holds mining, mines one block and releases', async () => {
    const block = async () =>
      Number(/\d+/.exec(await opened.textOf('[aria-labelledby="mining-title"] .soft'))?.[0])
    await press('mining')
    expect(await read('/pre/mining')).toEqual({ mode: 'manual' })
    const before = await block()
    await press('mine')
    expect(await block()).toBe(before + 1)
    await press('mining')
    expect(await read('/pre/mining')).toEqual({ mode: 'auto' })
  })

  it('starts and ends a failure of the management API', async () => {
    await opened.page.select('#failure', 'not-found')
    await press('management-start')
    expect((await read('/pre/management-failure')).failure).toMatchObject({ failure: 'not-found' })
    expect(await opened.textOf('[aria-labelledby="management"] .warning')).toBe(
      'Active: Unknown organization (404). All organizations.',
    )
    await press('management-end')
    expect((await read('/pre/management-failure')).failure).toBeNull()
  })

  it('creates, restores and deletes a snapshot', async () => {
    await press('snapshot-create')
    await shared.control('/pre/faults/mail-down', { method: 'PUT' })
    await opened.page.click('#snapshots ~ ol summary')
    await press('restore-0')
    expect((await read('/pre/faults/mail-down')).active).toBe(false)
    expect((await read('/snapshots')).snapshots).toHaveLength(1)
    await press('delete-0')
    expect((await read('/snapshots')).snapshots).toEqual([])
  })

  it('rejects amounts that are not sensible, and clients without a session', async () => {
    const url = `${shared.file.consoleUrl}/console/clock`
    const authorization = `Bearer ${shared.file.control.token}`
    for (const json of [{ amount: 0, unit: 'days' }, { amount: 1, unit: 'years' }, {}]) {
      expect((await callJson(url, { json, headers: { authorization } })).status).toBe(400)
    }
    expect((await callJson(url, { json: { amount: 1, unit: 'days' } })).status).toBe(401)
  })
})
