import { describe, expect, it } from 'vitest'
import { findLinkOfPage, findPresentationLink } from '#conformance/plans/idp/find-login-page.ts'
import { findSessionCode } from '#conformance/plans/idp/sessions.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'

const link =
  'openid4vp://?client_id=did%3Aorg%3Auc-pre%3Az1&request_uri=https%3A%2F%2Fv.example%2F7'
const page = (text: string, url = 'https://idp.example/login'): HttpPage => ({
  url,
  status: 200,
  headers: new Headers(),
  text,
  visited: [url],
})
const nobody = { request: () => Promise.reject(new Error('nothing is to be fetched')) }

describe('the link for wallets on a page that somebody else wrote', () => {
  const inJson = link.replaceAll('/', '\\/').replaceAll('&', '\\u0026')
  it.each([
    ['in an attribute', `<a href="${link.replaceAll('&', '&amp;')}">Open</a>`],
    ['in single quotes', `<a href='${link.replaceAll('&', '&amp;')}'>Open</a>`],
    ['with numeric references', `<a href="${link.replaceAll('&', '&#x26;')}">Open</a>`],
    ['with decimal references', `<a href="${link.replaceAll('&', '&#38;')}">Open</a>`],
    ['in JSON in a script', `<script>let state = {"link":"${inJson}","a":1}</script>`],
    ['in JSON in an attribute', `<div data-state="{&quot;link&quot;:&quot;${link}&quot;}"></div>`],
  ])('is found %s', (_where, text) => {
    expect(findLinkOfPage(page(text))).toBe(link)
  })

  it('is found where the browser is sent straight to the wallet', () => {
    expect(findLinkOfPage({ ...page('', link), status: 0 })).toBe(link)
  })

  it('is found in the QR code where it stands nowhere else', async () => {
    const png = Buffer.from(createQrPng(link)).toString('base64')
    const text = `<p>Scan it</p><img alt='QR' src='data:image/png;base64,${png}'>`
    expect(await findPresentationLink(nobody, page(text))).toBe(link)
  })

  it('is not made up: a check without one decides nothing', async () => {
    const found = findPresentationLink(nobody, page('<svg><path d="M0 0h1"/></svg>'))
    await expect(found).rejects.toMatchObject({ extra: { finding: { kind: 'inconclusive' } } })
  })
})

describe('the session code on a page that somebody else wrote', () => {
  it.each([
    ['an attribute', '<main data-session="s3ss-10n.c0de">'],
    ['an attribute with more of a name', "<main data-session-code='s3ss-10n.c0de'>"],
    ['the address that is polled', "fetch('/idp/api/auth/requests?session=s3ss-10n.c0de')"],
    ['a variable', 'const session = "s3ss-10n.c0de"'],
    ['JSON', '{"next":"\\/home","session_code":"s3ss-10n.c0de"}'],
    ['JSON in an attribute', '<i data-x="{&quot;sessionId&quot;:&quot;s3ss-10n.c0de&quot;}">'],
    ['a hidden field', '<input type="hidden" name="session" value="s3ss-10n.c0de">'],
  ])('is found in %s', (_where, text) => {
    expect(findSessionCode(page(text))).toBe('s3ss-10n.c0de')
  })

  it('is found in the address of the page', () => {
    const url = 'https://idp.example/qr?session=s3ss-10n.c0de'
    expect(findSessionCode(page('<img src="/qr.svg">', url))).toBe('s3ss-10n.c0de')
  })

  it('is not taken from what only looks like one', () => {
    expect(findSessionCode(page('Your session: has ended. const session = getSession()'))).toBe(
      undefined,
    )
  })
})
