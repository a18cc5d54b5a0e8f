import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { findAccessibilityProblems } from '#test/support/accessibility.ts'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { callJson, shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
let opened: OpenConsole
let mailPath: string
beforeAll(async () => {
  opened = await openConsole(shared)
  const transport = createTransport({ url: shared.file.mail.smtpUrl })
  await transport.sendMail({
    from: 'a@test.example',
    to: 'a.person.with.a.rather.long.address@department.organization.example',
    subject: 'Your credential from a company with a name that is longer than most are',
    html: '<p>Scan</p><img src="cid:qr" alt="QR code">',
    attachments: [
      { filename: 'qr.png', content: createQrPng(`openid4vp://?x=${'y'.repeat(200)}`), cid: 'qr' },
    ],
  })
  transport.close()
  await shared.order()
  const { body } = await callJson(`${shared.file.mail.apiUrl}/api/v2/messages`)
  mailPath = `/inbox/${encodeURIComponent(body.items[0].ID)}`
})
afterAll(() => opened?.close())

/** Changes everything that the notice and the controls show. */
async function modify() {
  await shared.control('/clock', { json: { advance_seconds: 90_000 } })
  await shared.control('/pre/faults/notification-lost', { method: 'PUT' })
  await shared.control('/pre/mining', { method: 'PUT', json: { mode: 'manual' } })
  const failure = { failure: 'slow', seconds: 1 }
  await shared.control('/pre/management-failure', { method: 'PUT', json: failure })
  await shared.control('/snapshots', { method: 'POST' })
}

describe.each([
  ['en', 'unmodified'],
  ['es', 'modified'],
] as const)('home, inbox and controls in %s, %s', (language, state) => {
  beforeAll(async () => {
    if (state === 'modified') await modify()
    await opened.visit(`/?lang=${language}`)
  })

  it.each(['/', '/controls', '/inbox', 'email'])('%s fits and is accessible', async (path) => {
    const { page } = opened
    for (const width of [390, 1280]) {
      for (const value of ['light', 'dark']) {
        await page.setViewport({ width, height: 800 })
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        await opened.visit(path === 'email' ? mailPath : path)
        if (path === '/') await page.waitForSelector('#activity li')
        expect(await page.evaluate('document.documentElement.lang')).toBe(language)
        expect([width, value, await findAccessibilityProblems(page)]).toEqual([width, value, []])
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      }
    }
  })
})

describe('with only the keyboard', () => {
  /** Presses Tab until the focused element has this accessible text. */
  async function tabTo(text: string) {
    const focused =
      '(document.activeElement.ariaLabel ?? document.activeElement.innerText).replace(/\\s+/g, " ").trim()'
    for (let pressed = 0; pressed < 120; pressed++) {
      await opened.page.keyboard.press('Tab')
      if ((await opened.page.evaluate(focused)) === text) return
    }
    throw new Error(`Tab does not reach ${text}`)
  }

  const pressEnter = () =>
    Promise.all([opened.page.waitForNavigation(), opened.page.keyboard.press('Enter')])

  it('switches a fault on, undoes it in the notice, and opens an email', async () => {
    await opened.page.setViewport({ width: 1280, height: 720 })
    await opened.visit('/?lang=en')
    await tabTo('Clock and faults')
    await pressEnter()
    await tabTo('Switch on: tir-slow')
    await pressEnter()
    expect(await opened.textOf('#notice')).toContain('The fault tir-slow is on.')
    await opened.visit('/controls')
    await tabTo('Undo')
    await pressEnter()
    expect(await opened.textOf('#notice')).toBe('')
    expect((await shared.control('/pre/faults/tir-slow')).body.active).toBe(false)
    await tabTo('Inbox')
    await pressEnter()
    const subject = await opened.textOf('.mails strong')
    await tabTo(await opened.textOf('.mails a'))
    await pressEnter()
    expect(await opened.textOf('h1')).toBe(subject)
  })
})
