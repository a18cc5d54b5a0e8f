import { describe, expect, it } from 'vitest'
import { languageCookie, languageOf } from '#kit/language.ts'
import { createHostCheck, splitHosts } from '#kit/origins.ts'
import { requestAddress } from '#kit/read-request.ts'

const read = (originalUrl: string) => {
  const { pathname, search, searchParams } = requestAddress({ originalUrl })
  return [pathname, search, Object.fromEntries(searchParams)]
}

describe('the address of a request', () => {
  it('is its path and query', () => {
    expect(read('/wallets?env=pre&a=%C3%A9')).toEqual([
      '/wallets',
      '?env=pre&a=%C3%A9',
      { env: 'pre', a: 'é' },
    ])
    expect(read('/a//b/')).toEqual(['/a//b/', '', {}])
  })

  it.each([
    ['//attacker.example/', '/attacker.example/'],
    ['///attacker.example', '/attacker.example'],
    ['/\\attacker.example', '/attacker.example'],
    ['/.//attacker.example/', '/attacker.example/'],
    ['/x/..//attacker.example/', '/attacker.example/'],
    ['//x//attacker.example/', '/x//attacker.example/'],
    ['//', '/'],
    ['//:99999/', '/:99999/'],
    ['//%', '/%'],
  ])('does not name another host: %s', (path, expected) => {
    expect(read(`${path}?lang=es`)).toEqual([expected, '?lang=es', { lang: 'es' }])
  })

  it.each([
    ['http://console.example:80//attacker.example/?x=y', '/attacker.example/'],
    ['http://:99999/a?x=y', '/a'],
    ['HTTP://console.example?x=y', '/'],
  ])('omits the host of the absolute form: %s', (target, path) => {
    expect(read(target)).toEqual([path, '?x=y', { x: 'y' }])
  })
})

const isOwn = createHostCheck(['Portal.example', '192.168.1.20', 'testbed'])

describe('createHostCheck', () => {
  it.each([
    'localhost',
    'LOCALHOST:4026',
    'localhost.:4026',
    'wallet.localhost:80',
    '127.0.0.1:4026',
    '[::1]:4026',
    '[::1]',
    '192.168.1.20:4003',
    '10.0.0.7',
    'portal.EXAMPLE',
    'portal.example:8443',
    'testbed:4003',
  ])('accepts %s', (host) => {
    expect(isOwn(host)).toBe(true)
  })

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4026',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example/localhost',
    'evil.example#localhost',
    'evil.example\\localhost',
    'sub.testbed',
    'x.portal.example',
    'localhost:port',
    '[::1',
  ])('rejects %s', (host) => {
    expect(isOwn(host)).toBe(false)
  })
})

it('parses names separated by commas', () => {
  expect(splitHosts(' a, b.example ,,')).toEqual(['a', 'b.example'])
  expect(splitHosts()).toEqual([])
})

const languageFor = (accepted: string | undefined, uiLocales?: unknown, cookie?: string) =>
  languageOf(
    { headers: { ...(accepted && { 'accept-language': accepted }), ...(cookie && { cookie }) } },
    uiLocales,
  )

describe('the language of a page', () => {
  it.each([undefined, '', 'en', 'de', 'xx;q=1, en;q=0.5', 'en;q=nonsense', ';;,,', '*', 'es;q=0'])(
    'is English for the browser’s %j',
    (accepted) => {
      expect(languageFor(accepted)).toBe('en')
    },
  )

  it.each(['es', 'es-ES,en;q=0.9', 'de, es;q=0.8, en;q=0.7', 'en;q=0.2,ES-mx;q=0.9'])(
    'is Spanish for the browser’s %j',
    (accepted) => {
      expect(languageFor(accepted)).toBe('es')
    },
  )

  it('is the first supported one of ui_locales, regardless of the browser', () => {
    expect(languageFor('en', 'fr es-ES en')).toBe('es')
    expect(languageFor('es', 'fr')).toBe('es')
    expect(languageFor('es', ['en'])).toBe('es')
  })

  it('is the one that the reader chose, regardless of ui_locales', () => {
    const cookie = (value: string) => `a=b; ${languageCookie}=${value}; c=d`
    expect(languageFor('en', 'en', cookie('es'))).toBe('es')
    expect(languageFor('en', 'es', cookie('fr'))).toBe('es')
  })
})
