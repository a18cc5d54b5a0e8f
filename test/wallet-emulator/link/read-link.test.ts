import { describe, expect, it } from 'vitest'
import { drawQr, toJpeg, toPng } from '#test/support/images.ts'
import { readLink } from '#wallet-emulator/link/read-link.ts'

const offer =
  'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fissuer.example%2Foffers%2F7'
const request = 'openid4vp://?request_uri=https%3A%2F%2Fverifier.example%2Frequests%2F9'

const poster = toPng(await drawQr('https://museum.example/room/7'))

describe('readLink', () => {
  it.each([
    ['the link alone', offer, 'offer', offer],
    ['blanks around it, from a clipboard', `\n  ${request}\t\r\n`, 'request', request],
    ['a sentence', `Your offer (${offer}). It is valid for five minutes.`, 'offer', offer],
    ['quotes', `Open "${request}", please`, 'request', request],
    ['a mail in angle brackets', `Dear Ana,\n\n<${offer}>\n\nBest`, 'offer', offer],
    [
      'a mail in HTML',
      `<p>Hello</p><a href="openid4vp://?client_id=a&amp;request_uri=https%3A%2F%2Fb">Open</a>`,
      'request',
      'openid4vp://?client_id=a&request_uri=https%3A%2F%2Fb',
    ],
    [
      'other links before it',
      `See https://issuer.example/help?topic=credential_offer and then ${offer}`,
      'offer',
      offer,
    ],
    [
      'a web link of a wallet that carries an offer',
      'https://wallet.example/open?credential_offer=%7B%7D',
      'offer',
      'https://wallet.example/open?credential_offer=%7B%7D',
    ],
    [
      'a web link that carries a request',
      'Log in: https://wallet.example/present?client_id=x&request_uri=https%3A%2F%2Fv.',
      'request',
      'https://wallet.example/present?client_id=x&request_uri=https%3A%2F%2Fv',
    ],
    [
      'JSON that is not encoded',
      'openid-credential-offer://?credential_offer={"credential_issuer": "https://a"}',
      'offer',
      'openid-credential-offer://?credential_offer={"credential_issuer": "https://a"}',
    ],
    [
      'a web link with such JSON',
      'https://wallet.example/?credential_offer={"a":{}}',
      'offer',
      'https://wallet.example/?credential_offer={"a":{}}',
    ],
    ['capitals', 'OPENID4VP://?request_uri=a', 'request', 'OPENID4VP://?request_uri=a'],
  ])('finds it in %s', (_, text, kind, link) => {
    expect(readLink(text)).toEqual({ ok: true, kind, link })
  })

  it('reads it from images and frames', async () => {
    const picture = await drawQr(offer)
    const expected = { ok: true, kind: 'offer', link: offer }
    expect(readLink(toPng(picture))).toEqual(expected)
    expect(readLink(toJpeg(picture))).toEqual(expected)
    expect(readLink({ ...picture, format: 'GREY' })).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['no link', 'Good morning'],
    ['a web link of another kind', 'https://issuer.example/?a=credential_offer'],
    ['a name that objects have', 'https://issuer.example/?constructor=1&__proto__=2'],
    ['a scheme that hides another', 'javascript:alert(1)//openid4vc'],
    ['a code on a poster', poster],
    ['bytes that are no image', new Uint8Array([1, 2, 3])],
  ])('says so of %s', (_, source) => {
    expect(readLink(source)).toMatchObject({ ok: false, reason: expect.stringMatching(/\w/) })
  })

  it('takes time linear in the length of a text', () => {
    const began = performance.now()
    expect(readLink(`${'https:'.repeat(100_000)} ${'.'.repeat(300_000)}`).ok).toBe(false)
    expect(readLink(`openid4vp:${'.'.repeat(500_000)}x`).ok).toBe(true)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
