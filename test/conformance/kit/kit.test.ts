import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nearMissesOf } from '#conformance/kit/near-misses.ts'
import { hasPasswordField, readPageCodes, tagsIn, wordsOf } from '#conformance/kit/read-pages.ts'
import { certificateOfJwk, createCertificate } from '#conformance/kit/signatures.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { workOf } from '#test/support/timing.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const http = { request: () => expect.unreachable() }
const code = (text: string) => `data:image/png;base64,${createQrPng(text).toString('base64')}`
const read = (text: string) => readPageCodes(http, { text, url: 'https://idp.example/' })

describe('a page', () => {
  it('has the codes of its images, with any kind of quotes', async () => {
    const page = `<p><img alt="a" src="${code('one')}"><IMG src='${code('two')}' id=b><img
      src = ${code('three')} />`
    expect(await read(page)).toEqual(['one', 'two', 'three'])
  })

  it('has a password field if an input is one', () => {
    expect(hasPasswordField({ text: '<input name=a><input name="p" type="password">' })).toBe(true)
    expect(hasPasswordField({ text: '<input name="p" type="text"> password' })).toBe(false)
  })

  it('has the words outside of its scripts, styles and head', () => {
    const head = '<script>a</script><html><head><title>t</title></head>'
    expect(wordsOf(`${head}<style>b{}</style><div id="root"></div></html>`)).toBe('')
    expect(wordsOf(`${head}<header>Hello</header> <b>you</b> <script>`)).toBe('Hello you')
    expect(wordsOf('1 < 2')).toBe('1 < 2')
  })

  it('of tags that never end is read in linear time', async () => {
    const repeat = (tag: string) => tag.repeat(1_000_000 / tag.length)
    const work = await workOf(async () => {
      expect(await read(repeat('<img '))).toEqual([])
      expect(hasPasswordField({ text: repeat('<input ') })).toBe(false)
      expect(wordsOf(repeat('<'))).toHaveLength(1_000_000)
      expect(wordsOf(repeat('<head '))).toMatch(/^<head/)
      expect(tagsIn(`${repeat('<img ')}>`, 'img')).toHaveLength(1)
    })
    expect(work).toBeLessThan(10_000)
  })
})

describe('near misses of an identifier', () => {
  const changed = (text: string) => nearMissesOf(text).map(({ change }) => change(text))

  it('include its other case, unless it is a UUID', () => {
    expect(changed('a-client')).toContain('A-CLIENT')
    const uuid = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    expect(changed(uuid)).not.toContain(uuid.toUpperCase())
    expect(changed(uuid)).toContain(`${uuid}2`)
  })

  it('never equal the identifier', () => {
    for (const text of ['4711', '_-', 'a', '']) expect(changed(text)).not.toContain(text)
  })
})

it.each(['secp256k1', 'Ed25519', 'P-256'] as const)(
  'creates a certificate of a %s key that OpenSSL reads and verifies',
  (curve) => {
    const { privateKey } = createAccount({ curve })
    const certificate = new X509Certificate(Buffer.from(certificateOfJwk(privateKey), 'base64'))
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ x: privateKey.x })
  },
)

it('creates a certificate of an RSA key', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = new X509Certificate(Buffer.from(createCertificate(privateKey), 'base64'))
  expect(certificate.verify(certificate.publicKey)).toBe(true)
})
