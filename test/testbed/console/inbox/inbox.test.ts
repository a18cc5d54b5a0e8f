import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { callJson } from '#test/support/http.ts'
import { type OpenConsole, openConsole } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
let opened: OpenConsole
beforeAll(async () => {
  opened = await openConsole(shared)
})
afterAll(() => opened?.close())

async function send(mail: object) {
  const transport = createTransport({ url: shared.file.mail.smtpUrl })
  await transport.sendMail({ from: 'a@test.example', to: 'rosa@test.example', ...mail })
  transport.close()
}

const offer = 'openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%2Foffers%2F1'

describe('the inbox', () => {
  it('shows an email that arrives while it is open, with its QR code decoded', async () => {
    await opened.visit('/inbox')
    expect(await opened.textOf('main')).toContain('No emails yet')
    const arrived = opened.page.waitForSelector('.mails a')
    await send({
      subject: 'Su credencial de Peñalara',
      html: '<p>Hola, <b>Rosa</b></p><img src="cid:qr" alt="QR">',
      text: 'Hola',
      attachments: [{ filename: 'qr.png', content: createQrPng(offer), cid: 'qr' }],
    })
    await arrived
    expect(await opened.textOf('.mails li')).toContain('Su credencial de Peñalara')
    await opened.clickThrough('.mails a')
    expect(await opened.textOf('h1')).toBe('Su credencial de Peñalara')
    const frame = await (await opened.page.waitForSelector('iframe'))?.contentFrame()
    await frame?.waitForFunction('document.querySelector("img")?.naturalWidth > 100')
    expect(await frame?.evaluate('getComputedStyle(document.body).marginTop')).toBe('20px')
    const decoded = await opened.page.$eval('.link code', (code) => code.getAttribute('title'))
    expect(decoded).toBe(offer)
    const wallet = await opened.page.$eval('.opened .primary', (link) => link.getAttribute('href'))
    expect(wallet).toBe(`/wallets?link=${encodeURIComponent(offer)}`)
  })

  it('gives the markup of an email no permission', async () => {
    const script = (id: string) => `<script>parent.document.title='${id}'</script>`
    await send({
      subject: `<img src=x onerror="document.title='subject'">${script('subject')}`,
      html: `</iframe>"'>${script('body')}<img src="http://127.0.0.1:9/pixel.png" onerror="document.title='image'">
<meta http-equiv="refresh" content="0;url=/controls"><base href="https://example.org/">
<form action="/console/undo" method="post"><button>x</button></form><style>body{display:none}</style>
<a href="/controls" target="_top">top</a><p>visible</p>`,
      text: script('text'),
    })
    await opened.visit('/inbox')
    await opened.clickThrough('.mails a')
    const title = await opened.page.title()
    const element = await opened.page.waitForSelector('iframe')
    expect(await element?.evaluate((frame) => frame.getAttribute('sandbox'))).toBe('')
    const frame = await element?.contentFrame()
    await frame?.waitForSelector('p')
    expect(await frame?.evaluate('getComputedStyle(document.body).display')).toBe('block')
    expect(await opened.page.title()).toBe(title)
    expect(title).toContain('onerror')
    // All markup is inside the frame.
    expect(await opened.page.$('main script, main img, main style, main form[action]')).toBeNull()
    expect(new URL(opened.page.url()).pathname).toMatch(/^\/inbox\//)
    expect(frame?.url()).toBe('about:srcdoc')
  })

  it('shows an image that is not a QR code, and text without markup, without codes', async () => {
    await send({ subject: 'Plain', text: 'Only <b>text</b>' })
    await opened.visit('/inbox')
    await opened.clickThrough('.mails a')
    expect(await opened.textOf('main pre')).toBe('Only <b>text</b>')
    expect(await opened.page.$('iframe, #codes')).toBeNull()
  })

  it('deletes one email, then all', async () => {
    await opened.clickThrough('form[data-call^="DELETE"] button')
    expect(new URL(opened.page.url()).pathname).toBe('/inbox')
    expect(await opened.page.$$('.mails li')).toHaveLength(2)
    await opened.page.click('summary')
    await opened.clickThrough('details button')
    expect(await opened.textOf('main')).toContain('No emails yet')
    const { body } = await callJson(`${shared.file.mail.apiUrl}/api/v2/messages`)
    expect(body.total).toBe(0)
  })

  it('pages through all emails', async () => {
    const sendNumber = (number: number) => send({ subject: `Number ${number}` })
    for (const number of [1, 2]) await sendNumber(number)
    await Promise.all(Array.from({ length: 24 }, (_, index) => sendNumber(index + 3)))
    await sendNumber(27)
    const subjects = () =>
      opened.page.$$eval('.mails strong', (all) => all.map(({ textContent }) => textContent))
    await opened.visit('/inbox')
    expect((await subjects())[0]).toBe('Number 27')
    expect(await subjects()).toHaveLength(25)
    expect(await opened.textOf('#position')).toBe('Emails 1 to 25 of 27, newest first')
    await opened.clickThrough('[rel="next"]')
    expect(await subjects()).toEqual(['Number 2', 'Number 1'])
    expect(await opened.textOf('#position')).toBe('Emails 26 to 27 of 27, newest first')
    // The second page is loaded again only if the number of emails changes.
    const { data } = await opened.page.$eval('#main', ({ dataset }) => ({ data: dataset.page }))
    expect(JSON.parse(data ?? '')).toEqual({ total: 27 })
    await opened.clickThrough('[rel="prev"]')
    expect((await subjects())[0]).toBe('Number 27')
    // After the last page comes the last page again. Without a number, it is the first.
    for (const [page, first] of [
      ['9', 'Number 2'],
      ['x', 'Number 27'],
    ]) {
      await opened.visit(`/inbox?page=${page}`)
      expect((await subjects())[0]).toBe(first)
    }
  })

  it('returns 404 for an unknown email, and opens only with the cookie', async () => {
    expect((await opened.get('/inbox/unknown@lear-testbed')).status).toBe(404)
    for (const path of ['/inbox', '/inbox/x', '/console/inbox']) {
      expect((await opened.get(path, { cookie: '' })).status).toBe(401)
    }
  })

  it('is not recorded as an exchange', async () => {
    const before = (await shared.control('/traces')).body.hops.length
    await opened.get('/inbox')
    expect((await shared.control('/traces')).body.hops).toHaveLength(before)
  })
})
