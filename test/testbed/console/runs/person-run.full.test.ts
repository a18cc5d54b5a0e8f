import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { send } from '#test/support/http.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const shared = shareTestbed()
let authorization: string
beforeAll(() => {
  authorization = `Bearer ${shared.file.control.token}`
})

const markup = '<img src=x onerror=alert(1)>'
const target = `plan: wallet\nname: '${markup}'\nadapter: { type: person }\n`

async function call(method: string, path: string, json?: object) {
  const response = await send(`${shared.file.consoleUrl}${path}`, {
    method,
    headers: { authorization },
    json,
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined }
}

const startRun = async (checks: readonly string[]) => {
  const json = { plan: 'wallet', name: 'my-wallet', text: target, checks }
  const { body } = await call('POST', '/console/target-runs', json)
  return body.location as string
}

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent?.trim() ?? '')

describe('a run with a person', () => {
  it('takes place on its page: code, note, screenshot and answer, then the failure with its rule', async () => {
    const page = await (await openBrowser()).newPage()
    const location = await startRun(['W01'])
    await page.goto(shared.testbed.createConsoleLink(location))
    await page.waitForSelector('.scan img')
    const link = await page.$eval('.scan a', (a) => a.getAttribute('href') ?? '')
    expect(link).toMatch(/^openid-credential-offer:\/\//)
    const code = await page.$('.scan img')
    expect(readQrPng(Buffer.from((await code?.screenshot()) ?? []))).toMatchObject({ text: link })

    await page.click('.ask summary')
    await page.type('#note', markup)
    const file = join(createTemporaryFolder(), 'wallet.png')
    writeFileSync(file, createQrPng('what the wallet showed'))
    const input = await page.waitForSelector('input#screenshot')
    await input?.uploadFile(file)
    await page.waitForSelector('img.screenshot')
    await page.click('button[value="refused"]')
    await page.waitForSelector(`a[href="${location}/report"]`)
    await page.waitForSelector('.results .reason')

    expect(await textOf(page, '.results .reason')).toContain(markup)
    expect(await page.$$eval('main img', (images) => images.length)).toBe(0)
    // One click shows expected, found and rule; the second one opens the paragraph.
    await page.click('.results summary')
    const shown = await page.$eval('.results details', (details) => details.innerText)
    expect(shown).toMatch(/Expected\s+The kit must deliver the credential/)
    expect(shown).toContain('Found')
    const paragraph = await page.$eval('.rules a', (a) => a.getAttribute('href') ?? '')
    expect((await call('GET', paragraph.split('#')[0] ?? '')).text).toContain(
      `id="${paragraph.split('#')[1]}"`,
    )
    const inReport = await page.$eval('.results details a[href*="/report#"]', (a) => a.href)
    await page.goto(inReport)
    expect(await page.$eval('details.failed[open] .attachments img', (image) => image.alt)).toBe(
      'Screenshot of step 1',
    )
  })

  it('accepts an answer only to its question, with an image of a bounded size', async () => {
    const location = await startRun(['W02'])
    const answers = `/console${location}/answers`
    const answer = (reply: object) => call('POST', answers, { question: 1, reply })
    const pdf = Buffer.from('%PDF-1.7').toString('base64')
    for (const reply of [
      { did: 'broke', note: '' },
      { did: 'refused', note: 'x'.repeat(2001) },
      { did: 'refused', note: '', screenshot: pdf },
      { did: 'refused', note: '', screenshot: `iVBORw0KGgo${'A'.repeat(2_800_001)}` },
    ]) {
      const { status, body } = await answer(reply)
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    }
    await call('POST', `/console${location}/stop`)
    await call('GET', `/console${location}/events`)
    const late = await answer({ did: 'accepted', note: '' })
    expect([late.status, late.body.error]).toEqual([409, 'run_ended'])
    expect((await call('GET', location)).status).toBe(401)
  })
})

describe('what the console keeps', () => {
  it('can be deleted: runs that have ended, and targets', async () => {
    const location = await startRun(['W01'])
    const run = `/console${location}`
    const early = await call('DELETE', run)
    expect([early.status, early.body.error]).toEqual([409, 'run_in_progress'])
    await call('POST', `${run}/stop`)
    await call('GET', `${run}/events`)
    expect((await call('DELETE', run)).status).toBe(204)
    const again = await call('DELETE', run)
    expect([again.status, again.body.error]).toEqual([404, 'unknown_run'])
    expect((await call('GET', `${location}/report`)).status).toBe(404)

    expect((await call('GET', '/console/targets/my-wallet')).body.text).toBe(target)
    expect((await call('DELETE', '/console/targets/my-wallet')).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      const gone = await call(method, '/console/targets/my-wallet')
      expect([method, gone.status, gone.body.error]).toEqual([method, 404, 'unknown_target'])
    }
  })

  it('is deleted on the page after a question', async () => {
    const page = await (await openBrowser()).newPage()
    const location = await startRun(['W01'])
    await call('POST', `/console${location}/stop`)
    await call('GET', `/console${location}/events`)
    const rows = () => page.$$eval(`a[href="${location}"]`, (links) => links.length)
    await page.goto(shared.testbed.createConsoleLink('/conformance'))
    await page.waitForSelector('html[data-ready]')
    const button = `[data-call="DELETE /console${location}"] button`
    page.once('dialog', (dialog) => dialog.dismiss())
    await page.click(button)
    expect(await rows()).toBe(1)
    page.once('dialog', (dialog) => dialog.accept())
    await Promise.all([page.waitForNavigation(), page.click(button)])
    expect(await rows()).toBe(0)

    // The saved target is opened while the server still validates the empty form.
    let release: (() => void) | undefined
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (release || !request.url().endsWith('/console/target-checks')) void request.continue()
      else release = () => void request.continue()
    })
    await page.goto(`${shared.file.consoleUrl}/conformance/wallet`)
    await page.waitForSelector('#saved')
    await page.select('#saved', 'my-wallet')
    await page.waitForSelector('#remove-saved')
    release?.()
    await page.waitForSelector('#person-checks')
    expect(await textOf(page, '#person-checks')).toMatch(/need a person: \d+\./)
    page.once('dialog', (dialog) => dialog.accept())
    await page.click('#remove-saved')
    await page.waitForFunction(`!document.getElementById('saved')`)
    expect((await call('GET', '/console/targets/my-wallet')).status).toBe(404)
  })
})
