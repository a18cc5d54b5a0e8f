import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { callJson } from '#test/support/http.ts'
import { expectReadable, type OpenConsole, openConsole, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

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

describe.each(['unmodified', 'modified'])('home, inbox and controls, %s', (state) => {
  beforeAll(async () => {
    if (state === 'modified') await modify()
  })

  it.each(['/', '/controls', '/inbox', 'email'])('%s is readable', async (path) => {
    await opened.visit(path === 'email' ? mailPath : path)
    await expectReadable(opened.page)
  })
})

describe('with only the keyboard', () => {
  const pressEnter = () =>
    Promise.all([opened.page.waitForNavigation(), opened.page.keyboard.press('Enter')])

  it('switches a fault on, undoes it in the notice, and opens an email', async () => {
    const { page } = opened
    await page.setViewport({ width: 1280, height: 720 })
    await opened.visit('/?lang=en')
    await tabTo(page, 'nav [href="/controls"]')
    await pressEnter()
    await tabTo(page, '#fault-tir-slow button')
    await pressEnter()
    expect(await opened.textOf('#notice')).toContain('The fault tir-slow is on.')
    await opened.visit('/controls')
    await tabTo(page, '#notice button')
    await pressEnter()
    expect(await opened.textOf('#notice')).toBe('')
    expect((await shared.control('/pre/faults/tir-slow')).body.active).toBe(false)
    await tabTo(page, 'nav [href="/inbox"]')
    await pressEnter()
    const subject = await opened.textOf('.mails strong')
    await tabTo(page, '.mails a')
    await pressEnter()
    expect(await opened.textOf('h1')).toBe(subject)
  })
})

it('says that the session has ended after a restart, not that the testbed is down', async () => {
  const { page, textOf, close } = await openConsole(shared)
  const browser = page.browserContext()
  await page.waitForSelector('#summary.good')
  await browser.deleteCookie(...(await browser.cookies()))
  const isHealthRefused = page.waitForResponse(
    (answer) => answer.url().endsWith('/control/health') && answer.status() === 401,
  )
  await expect.poll(() => textOf('#notice')).toMatch(/^Your session has ended/)
  await isHealthRefused
  expect(await textOf('#summary')).toMatch(/healthy/)
  await close()
})
